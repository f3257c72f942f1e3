// The message box: its height, its draft, its button and its word of warning.

import { byId, page, text } from "./page.js";
import { keepPlace } from "./scroll.js";

const draftName = () => `draft:${page.new ? "new" : page.conversation}`;

export function remember() {
  if (text.value) sessionStorage.setItem(draftName(), text.value);
  else sessionStorage.removeItem(draftName());
}

// Bring back what was typed before the page was loaded again.
export function recall() {
  text.value = sessionStorage.getItem(draftName()) || text.value;
  resize();
}

export const enable = () => {
  byId("send").disabled = !text.value.trim() && byId("uploads").hidden;
};

export function resize() {
  text.style.height = "auto";
  text.style.height = `${text.scrollHeight}px`;
  enable();
}

export function changed() {
  keepPlace(resize);
  remember();
}

export function notice(words) {
  byId("notice").textContent = words;
  byId("notice").hidden = !words;
}
