// Earlier messages, when they are asked for.

import { look } from "./api.js";
import { placeAll } from "./messages.js";
import { base, byId, messages, scroller } from "./page.js";

async function showEarlier(event) {
  const button = event.currentTarget;
  const first = messages.querySelector("[data-id]");
  button.disabled = true;
  button.textContent = "Loading…";
  try {
    const history = await (await look(`${base()}/history?before=${first.dataset.id}`)).json();
    const height = scroller.scrollHeight;
    placeAll(history.html);
    scroller.scrollTop += scroller.scrollHeight - height;
    button.hidden = !history.more;
    button.textContent = "Show earlier messages";
  } catch {
    button.textContent = "Could not be loaded. Try again";
  }
  button.disabled = false;
}

export function listen() {
  byId("earlier").addEventListener("click", showEarlier);
}
