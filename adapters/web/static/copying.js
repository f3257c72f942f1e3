// Copying code and whole messages.

import { make, messages } from "./page.js";

async function copy(words) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(words);
    return;
  }
  // Over plain http browsers have no clipboard.
  const area = make("textarea", "hidden", words);
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

async function onClick(event) {
  const button = event.target.closest(".copy-code, .copy-message");
  if (!button) return;
  const words = button.matches(".copy-code")
    ? button.closest(".code").querySelector("pre").textContent
    : button.closest(".message").dataset.source;
  try {
    await copy(words);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed";
  }
  setTimeout(() => {
    button.textContent = "Copy";
  }, 1600);
}

export function listen() {
  messages.addEventListener("click", onClick);
}
