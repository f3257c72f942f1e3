// The line that tells how the connection is.

import { byId } from "./page.js";

let troubled = 0;

export function say(words) {
  const line = byId("connection");
  if (line.textContent !== words) line.textContent = words;
  line.classList.toggle("offline", !navigator.onLine);
}

// A short break is not worth a word.
export function trouble() {
  if (!troubled) troubled = setTimeout(() => say(navigator.onLine ? "Reconnecting…" : "You are offline"), 1200);
}

// What still arrives over an old connection does not mean that the network is back.
export function well() {
  clearTimeout(troubled);
  troubled = 0;
  say(navigator.onLine ? "" : "You are offline");
}
