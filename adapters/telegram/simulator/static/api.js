// What the page asks of the simulator.

async function answer(response) {
  const body = await response.json();
  if (!response.ok) throw new Error(body.error || response.statusText);
  return body;
}

export async function get(path) {
  return answer(await fetch(path));
}

export async function tell(verb, fields) {
  return answer(await fetch(`/sim/${verb}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(fields),
  }));
}

export async function upload(verb, fields, files) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== null) form.append(name, value);
  files.forEach((file, number) => form.append(`file${number}`, file, file.name));
  return answer(await fetch(`/sim/${verb}`, { method: "POST", headers: { "X-Simulator": "page" }, body: form }));
}

export function follow(onChange) {
  const source = new EventSource("/sim/events");
  source.addEventListener("message", (event) => onChange(JSON.parse(event.data)));
  source.addEventListener("open", () => onChange({ kind: "reload" }));
}
