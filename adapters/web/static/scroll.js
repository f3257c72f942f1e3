// Scrolling: follow the newest message, and never move the page under the reader's eyes.

import { byId, scroller, text } from "./page.js";

export const isAtEnd = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 80;

export function toEnd() {
  scroller.scrollTop = scroller.scrollHeight;
}

// Change the page without moving it under the reader's eyes.
export function keepPlace(change) {
  const follow = isAtEnd();
  change();
  if (follow) toEnd();
  showPlace();
}

export function showPlace() {
  byId("to-end").hidden = isAtEnd();
  document.querySelector(".main").classList.toggle("scrolled", scroller.scrollTop > 4);
}

export function listen() {
  scroller.addEventListener("scroll", showPlace, { passive: true });
  window.addEventListener("resize", showPlace);
  byId("to-end").addEventListener("click", () => {
    toEnd();
    text.focus();
  });
}
