// A message that is on its way, as its writer sees it.

import { newKey } from "./api.js";
import { dress } from "./dress.js";
import { byId, make, messages } from "./page.js";
import { showPlace, toEnd } from "./scroll.js";

export function drawDraft(words, files) {
  const draft = make("article", "message person");
  draft.dataset.key = `browser:${newKey()}`;
  draft.dataset.state = "sending";
  draft.setAttribute("aria-label", "You");
  if (words) {
    const bubble = make("div", "bubble");
    bubble.append(make("div", "said", words));
    draft.append(bubble);
  }
  for (const file of files) {
    const attached = make("div", "attached");
    const shown = make("span", "file");
    shown.append(make("span", "file-name", file.name));
    attached.append(shown);
    draft.append(attached);
  }
  draft.append(make("p", "state", ""));
  byId("empty").hidden = true;
  messages.append(dress(draft));
  toEnd();
  showPlace();
  return draft;
}

export const tellState = (draft, words) => {
  draft.querySelector(".state").textContent = words;
};
