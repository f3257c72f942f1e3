// The ways files come in: picked, pasted or dropped.

import { byId, text } from "./page.js";
import { add } from "./uploads.js";

let depth = 0;
const drags = (event) => event.dataTransfer && Array.from(event.dataTransfer.types).includes("Files");

export function listen() {
  byId("pick").addEventListener("change", (event) => {
    add(event.target.files);
    event.target.value = "";
    text.focus();
  });
  text.addEventListener("paste", (event) => {
    if (event.clipboardData.files.length) {
      event.preventDefault();
      add(event.clipboardData.files);
    }
  });
  window.addEventListener("dragenter", (event) => {
    if (!drags(event)) return;
    depth += 1;
    document.body.classList.add("dragging");
  });
  window.addEventListener("dragleave", (event) => {
    if (!drags(event)) return;
    depth = Math.max(0, depth - 1);
    if (!depth) document.body.classList.remove("dragging");
  });
  window.addEventListener("dragover", (event) => drags(event) && event.preventDefault());
  window.addEventListener("drop", (event) => {
    if (!drags(event)) return;
    event.preventDefault();
    depth = 0;
    document.body.classList.remove("dragging");
    add(event.dataTransfer.files);
    text.focus();
  });
}
