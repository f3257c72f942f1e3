// Finished answers are told to those who do not look: by the screen reader, and by the tab's title.

import { byId } from "./page.js";

export function announce(element) {
  const words = (element.querySelector(".content") || element).textContent.replace(/\s+/g, " ").trim();
  byId("announcer").textContent = words.length > 400 ? `${words.slice(0, 400)} …` : words;
  if (document.hidden && !document.title.startsWith("● ")) document.title = `● ${document.title}`;
}

export function seen() {
  document.title = document.title.replace(/^● /, "");
}
