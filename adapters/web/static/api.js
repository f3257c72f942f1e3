// The server: how things are said to it and asked of it.

export const csrf = document.querySelector('meta[name="csrf"]').content;
const RETRY_MS = [500, 1000, 2000, 4000, 8000];

export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// Wait before trying again, longer each time.
export const rest = (attempt) => pause(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]);

export async function post(path, body) {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf },
      body: JSON.stringify(body),
    });
    const values = await response.json().catch(() => ({}));
    return { status: response.status, values };
  } catch {
    return { status: 0, values: {} };
  }
}

// Say something once, however often it takes: the key stays the same. Returns the server's last word.
export async function insist(path, body, onWait) {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await post(path, body);
    const again = answer.status === 0 || answer.status === 429 || answer.status >= 500;
    if (!again) return answer;
    onWait(answer);
    await rest(attempt);
  }
}

export async function look(path) {
  const response = await fetch(path, { headers: { Accept: "application/json" } });
  if (response.status === 401) location.reload();
  if (!response.ok) throw new Error(String(response.status));
  return response;
}
