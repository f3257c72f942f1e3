// The messages on the page, each in its place.

import { announce } from "./attention.js";
import { dress, parse } from "./dress.js";
import { byId, messages, text } from "./page.js";
import { keepPlace, toEnd } from "./scroll.js";

// Put a message where its number says; the same message again takes its own place.
function place(element) {
  const known = byId(element.id) || ownDraft(element.dataset.key);
  if (known) {
    known.replaceWith(element);
  }
  const number = Number(element.dataset.id);
  let before = null;
  for (let other = messages.lastElementChild; other; other = other.previousElementSibling) {
    if (other !== element && other.dataset.id && Number(other.dataset.id) < number) break;
    if (other !== element) before = other;
  }
  if (!known || element.nextElementSibling !== before) messages.insertBefore(element, before);
  dress(element);
}

const ownDraft = (key) =>
  key ? Array.from(messages.children).find((one) => !one.dataset.id && one.dataset.key === key) : undefined;

export function show(message) {
  keepPlace(() => {
    byId("empty").hidden = true;
    if (message.removed) {
      byId(`m${message.id}`)?.remove();
      return;
    }
    const element = parse(message.html).firstElementChild;
    const before = byId(element.id);
    if (before && before.dataset.state === "working" && element.dataset.state === "done") announce(element);
    if (before && before.dataset.change && Number(before.dataset.change) > message.change) return;
    element.dataset.change = message.change;
    place(element);
  });
  showWork();
}

// Put in messages that were said before the ones shown.
export function placeAll(html) {
  for (const element of Array.from(parse(html).children)) place(element);
}

// Show these messages only, and below them what is still to be sent.
export function showOnly(html) {
  messages.replaceChildren(...Array.from(messages.children).filter((one) => !one.dataset.id));
  placeAll(html);
  toEnd();
  showWork();
}

export function showWork() {
  const working = messages.querySelector('[data-state="working"]') !== null;
  const stop = byId("stop");
  if (!working) stop.disabled = false;
  if (stop.hidden === working) {
    const focused = document.activeElement === stop;
    stop.hidden = !working;
    if (focused && !working) text.focus();
  }
}
