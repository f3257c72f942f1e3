// Commands offered while one is typed.

import { changed } from "./box.js";
import { byId, text } from "./page.js";

const hints = byId("hints");
const options = Array.from(hints.children);
let chosen = null;

export function hint() {
  const match = /^[/!]([\w-]*)$/.exec(text.value);
  const fitting = match ? options.filter((option) => option.dataset.name.startsWith(match[1].toLowerCase())) : [];
  for (const option of options) option.hidden = !fitting.includes(option);
  hints.hidden = fitting.length === 0;
  text.setAttribute("aria-expanded", String(!hints.hidden));
  choose(fitting[0] || null);
}

function choose(option) {
  chosen?.setAttribute("aria-selected", "false");
  chosen = option;
  if (option) {
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    text.setAttribute("aria-activedescendant", option.id);
  } else {
    text.removeAttribute("aria-activedescendant");
  }
}

function step(by) {
  const fitting = options.filter((option) => !option.hidden);
  const next = (fitting.indexOf(chosen) + by + fitting.length) % fitting.length;
  choose(fitting[next]);
}

function complete(option) {
  const takes = option.querySelector("code") !== null;
  text.value = `${text.value[0] || "/"}${option.dataset.name}${takes ? " " : ""}`;
  closeHints();
  changed();
  text.focus();
}

function closeHints() {
  hints.hidden = true;
  text.setAttribute("aria-expanded", "false");
  choose(null);
}

// Take a key that moves, picks or closes the hints; say whether it did.
export function keyInHints(event) {
  if (hints.hidden || event.shiftKey) return false;
  const moves = { ArrowDown: 1, ArrowUp: -1 };
  if (event.key in moves) step(moves[event.key]);
  else if (event.key === "Escape") closeHints();
  else if (event.key === "Tab" && chosen) complete(chosen);
  else if (event.key === "Enter" && chosen && text.value.slice(1).toLowerCase() !== chosen.dataset.name) complete(chosen);
  else return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}

export function listen() {
  hints.addEventListener("mousedown", (event) => {
    const option = event.target.closest("li");
    event.preventDefault();
    if (option) complete(option);
  });
}
