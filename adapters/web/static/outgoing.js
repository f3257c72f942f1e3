// What was said goes out one by one, in order, until the server has it.

import { insist } from "./api.js";
import { remember, resize } from "./box.js";
import { listConversations } from "./conversations.js";
import { drawDraft, tellState } from "./draft.js";
import { show } from "./messages.js";
import { base, make, page, text } from "./page.js";
import { connect } from "./stream.js";
import { showUploads, uploads } from "./uploads.js";

const waiting = [];
let sending = false;

export function sendOut(words, files) {
  const draft = drawDraft(words, files);
  waiting.push({ words, files, draft, key: draft.dataset.key });
  sendNext();
}

async function sendNext() {
  if (sending || !waiting.length) return;
  sending = true;
  const item = waiting[0];
  await Promise.all(item.files.map((file) => file.done));
  if (item.files.some((file) => file.failed)) {
    fail(item, "A file could not be added.");
  } else {
    const slow = setTimeout(() => tellState(item.draft, "Sending…"), 800);
    const answer = await insist(
      `${base()}/messages`,
      { key: item.key.slice(8), text: item.words, files: item.files.map((file) => file.id) },
      () => tellState(item.draft, navigator.onLine ? "Waiting to be sent…" : "Will be sent once you are online"),
    );
    clearTimeout(slow);
    if (answer.status === 200) sent(answer.values);
    else if (answer.status === 401) location.reload();
    else fail(item, answer.values.error || "This could not be sent.");
  }
  waiting.shift();
  sending = false;
  sendNext();
}

function sent(message) {
  show(message);
  if (page.new) {
    page.new = "";
    history.replaceState(null, "", base());
    sessionStorage.removeItem("draft:new");
    remember();
    connect();
  }
  listConversations();
}

function fail(item, words) {
  item.draft.dataset.state = "failed";
  tellState(item.draft, `${words} `);
  const edit = make("button", "small", "Edit");
  edit.type = "button";
  edit.addEventListener("click", () => {
    item.draft.remove();
    text.value = text.value ? `${item.words}\n${text.value}` : item.words;
    for (const file of item.files) if (!file.failed) uploads.add(file);
    showUploads();
    remember();
    resize();
    text.focus();
  });
  item.draft.querySelector(".state").append(edit);
}
