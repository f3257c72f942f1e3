"use strict";

// The chat page: sends what is typed, shows what the server sends. All HTML comes from the server, which escapes it.

const page = document.body.dataset;
const csrf = document.querySelector('meta[name="csrf"]').content;
const byId = (id) => document.getElementById(id);
const messages = byId("messages");
const scroller = byId("scroller");
const text = byId("text");

const BEAT_MS = 40000; // the server gives a sign of life every 15 s
const RETRY_MS = [500, 1000, 2000, 4000, 8000];
const HIDDEN_MS = 60000; // browsers allow six streams for all tabs together
const FOLDED_LINES = 40;

const base = () => `/chat/${page.conversation}`;

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function make(tag, className, content) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (content !== undefined) element.textContent = content;
  return element;
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// --- the server --------------------------------------------------------------------------------------

async function post(path, body) {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf },
      body: JSON.stringify(body),
    });
    const values = await response.json().catch(() => ({}));
    return { status: response.status, values };
  } catch {
    return { status: 0, values: {} };
  }
}

// Say something once, however often it takes: the key stays the same. Returns the server's last word.
async function insist(path, body, onWait) {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await post(path, body);
    const again = answer.status === 0 || answer.status === 429 || answer.status >= 500;
    if (!again) return answer;
    onWait(answer);
    await pause(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]);
  }
}

async function look(path) {
  const response = await fetch(path, { headers: { Accept: "application/json" } });
  if (response.status === 401) location.reload();
  if (!response.ok) throw new Error(String(response.status));
  return response;
}

// --- scrolling ---------------------------------------------------------------------------------------

const isAtEnd = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 80;

function toEnd() {
  scroller.scrollTop = scroller.scrollHeight;
}

// Change the page without moving it under the reader's eyes.
function keepPlace(change) {
  const follow = isAtEnd();
  change();
  if (follow) toEnd();
  showPlace();
}

function showPlace() {
  byId("to-end").hidden = isAtEnd();
  document.querySelector(".main").classList.toggle("scrolled", scroller.scrollTop > 4);
}

scroller.addEventListener("scroll", showPlace, { passive: true });
window.addEventListener("resize", showPlace);
byId("to-end").addEventListener("click", () => {
  toEnd();
  text.focus();
});

// --- drawing messages --------------------------------------------------------------------------------

function parse(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return holder.content;
}

function copyButton(label) {
  const button = make("button", "small copy-code", "Copy");
  button.type = "button";
  button.setAttribute("aria-label", label);
  return button;
}

// Give code a head with its language and a button, links a tab of their own.
function finish(root) {
  const blocks = root.matches && root.matches("pre") ? [root] : root.querySelectorAll("pre");
  for (const block of blocks) {
    if (block.closest(".code")) continue;
    const language = (block.querySelector("code")?.className || "").replace("language-", "");
    const frame = make("div", "code");
    const head = make("div", "code-head");
    head.append(make("span", "", language || "code"), copyButton("Copy this code"));
    block.replaceWith(frame);
    block.tabIndex = 0;
    frame.append(head, block);
  }
  for (const link of root.querySelectorAll(".prose a[href], a[href^='http']")) {
    if (link.origin !== location.origin) {
      link.target = "_blank";
      link.rel = "noopener noreferrer nofollow";
    }
  }
}

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

function dress(element) {
  finish(element);
  for (const time of element.querySelectorAll("time")) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    const today = moment.toDateString() === new Date().toDateString();
    time.textContent = "full" in time.dataset || !today ? full.format(moment) : clock.format(moment);
    time.title = full.format(moment);
  }
  const said = element.querySelector(".said");
  if (said && (said.textContent.split("\n").length > FOLDED_LINES || said.textContent.length > 4000)) fold(said);
  for (const picture of element.querySelectorAll(".picture img")) {
    const follow = isAtEnd();
    picture.addEventListener("load", () => follow && toEnd(), { once: true });
  }
  return element;
}

function fold(said) {
  const button = make("button", "small unfold", "Show all");
  button.type = "button";
  button.setAttribute("aria-expanded", "false");
  said.classList.add("folded");
  said.after(button);
  button.addEventListener("click", () => {
    const folded = said.classList.toggle("folded");
    button.textContent = folded ? "Show all" : "Show less";
    button.setAttribute("aria-expanded", String(!folded));
  });
}

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

function show(message) {
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

// Replace only the blocks that changed, so that a selection in earlier ones stays.
function grow(preview) {
  const element = byId(`m${preview.id}`);
  if (!element || element.dataset.state !== "working") return;
  keepPlace(() => {
    const content = element.querySelector(".content");
    const next = Array.from(parse(preview.html).children);
    const shown = content.blocks || [];
    const sources = next.map((block) => block.outerHTML);
    let same = 0;
    while (same < shown.length && same < sources.length && shown[same] === sources[same]) same += 1;
    while (content.children.length > same) content.lastElementChild.remove();
    for (const block of next.slice(same)) {
      content.append(block);
      finish(block);
    }
    content.blocks = sources;
  });
}

function announce(element) {
  const words = (element.querySelector(".content") || element).textContent.replace(/\s+/g, " ").trim();
  byId("announcer").textContent = words.length > 400 ? `${words.slice(0, 400)} …` : words;
  if (document.hidden && !document.title.startsWith("● ")) document.title = `● ${document.title}`;
}

function showWork() {
  const working = messages.querySelector('[data-state="working"]') !== null;
  const stop = byId("stop");
  if (!working) stop.disabled = false;
  if (stop.hidden === working) {
    const focused = document.activeElement === stop;
    stop.hidden = !working;
    if (focused && !working) text.focus();
  }
}

// --- the stream of events ----------------------------------------------------------------------------

let source = null;
let watchdog = 0;
let failures = 0;
let troubled = 0;
let change = Number(page.change);

function connect() {
  disconnect();
  source = new EventSource(`${base()}/events?after=${change}`);
  source.addEventListener("open", () => {
    failures = 0;
    alive();
  });
  source.addEventListener("beat", alive);
  source.addEventListener("message", (event) => {
    alive();
    change = Number(event.lastEventId);
    show(JSON.parse(event.data));
  });
  source.addEventListener("preview", (event) => {
    alive();
    grow(JSON.parse(event.data));
  });
  source.addEventListener("gap", readAgain);
  source.addEventListener("error", () => {
    trouble();
    if (source && source.readyState === EventSource.CLOSED) comeBack();
  });
  watch();
}

function disconnect() {
  clearTimeout(watchdog);
  source?.close();
  source = null;
}

function alive() {
  clearTimeout(troubled);
  troubled = 0;
  say("");
  watch();
}

function watch() {
  clearTimeout(watchdog);
  watchdog = setTimeout(() => {
    trouble();
    connect();
  }, BEAT_MS);
}

function trouble() {
  if (!troubled) troubled = setTimeout(() => say(navigator.onLine ? "Reconnecting…" : "You are offline"), 1200);
}

async function comeBack() {
  disconnect();
  await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]);
  failures += 1;
  if (source) return;
  look(`${base()}/history`).then(connect, comeBack);
}

async function readAgain() {
  disconnect();
  try {
    const history = await (await look(`${base()}/history`)).json();
    messages.replaceChildren(...Array.from(messages.children).filter((one) => !one.dataset.id));
    change = history.change;
    byId("earlier").hidden = !history.more;
    for (const element of Array.from(parse(history.html).children)) place(element);
    toEnd();
    showWork();
    connect();
  } catch {
    comeBack();
  }
}

function say(words) {
  const line = byId("connection");
  if (line.textContent !== words) line.textContent = words;
  line.classList.toggle("offline", !navigator.onLine);
}

window.addEventListener("offline", () => say("You are offline"));
window.addEventListener("online", () => {
  say("Reconnecting…");
  if (!page.new) connect();
  else say("");
});

let resting = 0;
document.addEventListener("visibilitychange", () => {
  clearTimeout(resting);
  if (document.hidden) {
    resting = setTimeout(disconnect, HIDDEN_MS);
    return;
  }
  document.title = document.title.replace(/^● /, "");
  if (!source && !page.new) connect();
  listConversations();
});

// --- saying something --------------------------------------------------------------------------------

const waiting = [];
let sending = false;

function submit() {
  const words = text.value.trim();
  const files = Array.from(uploads);
  if (!words && !files.length) return;
  if (files.some((file) => file.failed)) {
    notice("A file could not be added. Remove it or try it again.");
    return;
  }
  const draft = drawDraft(words, files);
  waiting.push({ words, files, draft, key: draft.dataset.key });
  uploads.clear();
  showUploads();
  text.value = "";
  remember();
  resize();
  hint();
  notice("");
  sendNext();
}

function drawDraft(words, files) {
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

const tellState = (draft, words) => {
  draft.querySelector(".state").textContent = words;
};

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

function notice(words) {
  byId("notice").textContent = words;
  byId("notice").hidden = !words;
}

byId("composer").addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
  text.focus();
});

byId("stop").addEventListener("click", async () => {
  byId("stop").disabled = true;
  const answer = await insist(`${base()}/stop`, { key: newKey() }, () => {});
  if (answer.status === 200) show(answer.values);
  else notice(answer.values.error || "The answer could not be stopped.");
});

// --- cards -------------------------------------------------------------------------------------------

messages.addEventListener("submit", async (event) => {
  const form = event.target;
  event.preventDefault();
  const pressed = event.submitter;
  const values = {};
  for (const [name, value] of new FormData(form)) (values[name] ||= []).push(value);
  const buttons = form.querySelectorAll("button");
  const wrong = form.querySelector(":scope > .error");
  for (const button of buttons) button.disabled = true;
  wrong.hidden = true;
  const answer = await insist(
    `${base()}/presses`,
    { key: newKey(), message: Number(form.dataset.message), action: Number(pressed.value), values },
    () => {},
  );
  if (answer.status === 200) {
    show(answer.values);
    await pause(1500); // whoever answers may close the card; until then a second press would be a mistake
  } else {
    wrong.textContent = answer.values.error || "This could not be sent.";
    wrong.hidden = false;
  }
  for (const button of buttons) button.disabled = false;
});

// --- copying -----------------------------------------------------------------------------------------

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

messages.addEventListener("click", async (event) => {
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
});

// --- files -------------------------------------------------------------------------------------------

const uploads = new Set();

function add(files) {
  notice("");
  for (const file of files) {
    if (uploads.size >= Number(page.maxFiles)) {
      notice(`A message may carry ${page.maxFiles} files.`);
      break;
    }
    const upload = { file, name: file.name || "file", id: "", failed: false, element: make("li", "upload") };
    uploads.add(upload);
    start(upload);
  }
  showUploads();
}

function start(upload) {
  const { element } = upload;
  const remove = make("button", "small", "×");
  remove.type = "button";
  remove.setAttribute("aria-label", `Remove ${upload.name}`);
  const progress = make("progress");
  progress.max = 1;
  progress.value = 0;
  progress.setAttribute("aria-label", `${upload.name} is being added`);
  element.replaceChildren(make("span", "upload-name", upload.name), remove, progress);
  const request = new XMLHttpRequest();
  remove.addEventListener("click", () => {
    request.abort();
    uploads.delete(upload);
    showUploads();
    text.focus();
  });
  upload.done = new Promise((done) => {
    const failed = (words) => {
      upload.failed = true;
      progress.remove();
      const line = make("span", "error", words);
      line.setAttribute("role", "alert");
      element.append(line);
      done();
    };
    if (upload.file.size > Number(page.uploadBytes)) {
      failed(`Larger than ${Math.floor(Number(page.uploadBytes) / 1e6)} MB`);
      return;
    }
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) progress.value = event.loaded / event.total;
    });
    request.addEventListener("load", () => {
      const answer = JSON.parse(request.responseText || "{}");
      if (request.status !== 200) {
        failed(answer.error || "Could not be added");
        return;
      }
      upload.id = answer.id;
      progress.remove();
      done();
    });
    request.addEventListener("error", () => failed("The connection broke. Remove it and add it again."));
    request.addEventListener("abort", done);
    request.open("POST", `/chat/files?name=${encodeURIComponent(upload.name)}`);
    request.setRequestHeader("X-CSRF-Token", csrf);
    request.setRequestHeader("Content-Type", upload.file.type || "application/octet-stream");
    request.send(upload.file);
  });
}

function showUploads() {
  const list = byId("uploads");
  list.replaceChildren(...Array.from(uploads, (upload) => upload.element));
  list.hidden = uploads.size === 0;
  enable();
}

const enable = () => {
  byId("send").disabled = !text.value.trim() && uploads.size === 0;
};

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

let depth = 0;
const drags = (event) => event.dataTransfer && Array.from(event.dataTransfer.types).includes("Files");
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

// --- the message box ---------------------------------------------------------------------------------

const hints = byId("hints");
const options = Array.from(hints.children);
let chosen = null;

function hint() {
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

hints.addEventListener("mousedown", (event) => {
  const option = event.target.closest("li");
  event.preventDefault();
  if (option) complete(option);
});

const draftName = () => `draft:${page.new ? "new" : page.conversation}`;

function remember() {
  if (text.value) sessionStorage.setItem(draftName(), text.value);
  else sessionStorage.removeItem(draftName());
}

function resize() {
  text.style.height = "auto";
  text.style.height = `${text.scrollHeight}px`;
  enable();
}

function changed() {
  keepPlace(resize);
  remember();
}

text.addEventListener("input", () => {
  changed();
  hint();
});

const touch = window.matchMedia("(pointer: coarse)");

function keyInHints(event) {
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

text.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (!hints.hidden && !event.shiftKey && keyInHints(event)) return;
  if (event.key === "Enter" && !event.shiftKey && !touch.matches) {
    event.preventDefault();
    submit();
  }
});

// --- the list of conversations -----------------------------------------------------------------------

async function listConversations() {
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

function openSide(open) {
  document.body.classList.toggle("side-open", open);
  byId("menu").setAttribute("aria-expanded", String(open));
  if (open) byId("side").querySelector("a").focus();
  else if (byId("side").contains(document.activeElement)) byId("menu").focus();
}

byId("menu").addEventListener("click", () => openSide(!document.body.classList.contains("side-open")));
byId("veil").addEventListener("click", () => openSide(false));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && document.body.classList.contains("side-open")) openSide(false);
});

byId("sign-out").addEventListener("click", async () => {
  const answer = await post("/sign-out", {});
  if (answer.status === 200 || answer.status === 401) {
    sessionStorage.clear();
    location.assign("/");
  }
});

byId("earlier").addEventListener("click", async (event) => {
  const button = event.currentTarget;
  const first = messages.querySelector("[data-id]");
  button.disabled = true;
  button.textContent = "Loading…";
  try {
    const history = await (await look(`${base()}/history?before=${first.dataset.id}`)).json();
    const height = scroller.scrollHeight;
    for (const element of Array.from(parse(history.html).children)) place(element);
    scroller.scrollTop += scroller.scrollHeight - height;
    button.hidden = !history.more;
    button.textContent = "Show earlier messages";
  } catch {
    button.textContent = "Could not be loaded. Try again";
  }
  button.disabled = false;
});

// --- begin -------------------------------------------------------------------------------------------

for (const element of messages.children) dress(element);
text.value = sessionStorage.getItem(draftName()) || text.value;
resize();
toEnd();
showPlace();
showWork();
if (!page.new) connect();
