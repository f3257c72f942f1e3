// Cards: what is filled in and pressed goes to the server.

import { insist, newKey, pause } from "./api.js";
import { show } from "./messages.js";
import { base, messages } from "./page.js";

async function press(event) {
  const form = event.target;
  event.preventDefault();
  const pressed = event.submitter;
  const values = {};
  for (const [name, value] of new FormData(form)) (values[name] ||= []).push(value);
  const buttons = form.querySelectorAll("button");
  const wrong = form.querySelector(":scope > .error");
  for (const button of buttons) button.disabled = true;
  wrong.hidden = true;
  const answer = await insist(
    `${base()}/presses`,
    { key: newKey(), message: Number(form.dataset.message), action: Number(pressed.value), values },
    () => {},
  );
  if (answer.status === 200) {
    show(answer.values);
    await pause(1500); // whoever answers may close the card; until then a second press would be a mistake
  } else {
    wrong.textContent = answer.values.error || "This could not be sent.";
    wrong.hidden = false;
  }
  for (const button of buttons) button.disabled = false;
}

export function listen() {
  messages.addEventListener("submit", press);
}
