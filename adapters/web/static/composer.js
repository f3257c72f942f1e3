// The composer: what is typed is said, what is being answered can be stopped.

import { insist, newKey } from "./api.js";
import { changed, notice, remember, resize } from "./box.js";
import { hint, keyInHints } from "./hints.js";
import { show } from "./messages.js";
import { sendOut } from "./outgoing.js";
import { base, byId, text } from "./page.js";
import { showUploads, uploads } from "./uploads.js";

const touch = window.matchMedia("(pointer: coarse)");

function submit() {
  const words = text.value.trim();
  const files = Array.from(uploads);
  if (!words && !files.length) return;
  if (files.some((file) => file.failed)) {
    notice("A file could not be added. Remove it or try it again.");
    return;
  }
  sendOut(words, files);
  uploads.clear();
  showUploads();
  text.value = "";
  remember();
  resize();
  hint();
  notice("");
}

async function stop() {
  byId("stop").disabled = true;
  const answer = await insist(`${base()}/stop`, { key: newKey() }, () => {});
  if (answer.status === 200) show(answer.values);
  else notice(answer.values.error || "The answer could not be stopped.");
}

export function listen() {
  byId("composer").addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
    text.focus();
  });
  byId("stop").addEventListener("click", stop);
  text.addEventListener("input", () => {
    changed();
    hint();
  });
  text.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (keyInHints(event)) return;
    if (event.key === "Enter" && !event.shiftKey && !touch.matches) {
      event.preventDefault();
      submit();
    }
  });
}
