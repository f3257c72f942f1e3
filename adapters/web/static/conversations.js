// The list of conversations, and the title of this one.

import { look } from "./api.js";
import { parse } from "./dress.js";
import { byId, page } from "./page.js";

export async function listConversations() {
  try {
    const response = await look(`/chat/conversations?current=${page.conversation}`);
    byId("conversations").replaceChildren(parse(await response.text()));
    const current = document.querySelector("#conversations [aria-current]");
    if (current) {
      byId("title").textContent = current.textContent;
      document.title = `${current.textContent} · Deckhand`;
    }
  } catch {
    // The list stays as it was; the connection line tells of trouble.
  }
}
