// The page: which chat is open, who speaks, and what is said.

import { follow, get, tell, upload } from "/static/api.js";
import { bubble, draft, grouped, hue, initials } from "/static/bubbles.js";
import { node } from "/static/text.js";

const at = (id) => document.getElementById(id);
const open = { key: null, chat: null, topic: null, speaker: {}, reply: null, edit: null, files: [] };
let overview = { bot: {}, people: [], chats: [] };

// --- chats ------------------------------------------------------------------------------------------------

function drawChats() {
  at("unconnected").hidden = overview.bot.connected;
  at("unconnected").textContent = `No bot has called yet. Start one with TELEGRAM_API_URL=${location.origin} and any token, such as 4242:sim.`;
  at("chats").replaceChildren(...overview.chats.map(row));
}

function describe(chat) {
  if (chat.kind === "private") return `${chat.title} and the bot`;
  return chat.title;
}

function row(chat) {
  const last = chat.last;
  const words = last ? `${chat.kind === "private" || !last.author ? "" : `${last.author}: `}${last.text}` : "Nothing said yet";
  const made = node("button", { type: "button", className: "chat" },
    node("span", { className: `face hue-${hue(chat.title)}` }, initials(chat.title)),
    node("strong", {}, describe(chat)),
    node("small", {}, chat.is_forum ? "forum" : chat.kind),
    node("span", { className: "last" }, words));
  if (chat.key === open.key) made.setAttribute("aria-current", "true");
  made.addEventListener("click", () => enter(chat.key));
  return made;
}

async function enter(key) {
  if (open.key !== key) Object.assign(open, { topic: null, reply: null, edit: null, files: [] });
  open.key = key;
  document.body.classList.add("talking");
  await load(true);
  drawChats();
  at("text").focus({ preventScroll: true });
}

// --- one chat ---------------------------------------------------------------------------------------------

async function load(toEnd = false) {
  if (open.key === null) return;
  const key = open.key;
  const chat = await get(`/sim/chat?key=${encodeURIComponent(key)}`);
  if (open.key !== key) return;
  open.chat = chat;
  drawTalk(toEnd);
}

function me() {
  const chat = open.chat;
  if (chat.kind === "private") return chat.people[0];
  return open.speaker[open.key] || chat.people[0] || null;
}

function drawTalk(toEnd) {
  const chat = open.chat;
  at("talk").hidden = false;
  at("empty").hidden = true;
  at("title").textContent = chat.kind === "private" ? `${overview.bot.name} · as ${chat.title}` : chat.title;
  at("face").className = `face hue-${hue(chat.title)}`;
  at("face").textContent = initials(chat.title);
  drawStatus();
  drawSpeakers();
  drawTopics();
  drawMessages(toEnd);
  drawContext();
}

function drawStatus() {
  const chat = open.chat;
  const busy = { typing: "typing…", upload_photo: "sending a photo…", upload_document: "sending a file…" }[chat.action];
  const still = chat.blocked ? "blocked: the bot cannot write here" : chat.migrated_to ? "became a supergroup"
    : !chat.bot_is_here ? "the bot was removed" : chat.kind === "private" ? `@${overview.bot.username}`
    : `${chat.people.length} people and the bot`;
  at("subtitle").textContent = busy ? `the bot is ${busy}` : still;
  at("subtitle").classList.toggle("busy", Boolean(busy));
}

function drawSpeakers() {
  const chat = open.chat;
  at("speaker-field").hidden = chat.kind === "private" || chat.kind === "channel";
  const options = overview.people.map((person) => node("option", { value: person.name, selected: person.name === me() }, person.name));
  at("speaker").replaceChildren(...options);
}

function drawTopics() {
  const chat = open.chat;
  at("topics").hidden = !chat.is_forum;
  if (!chat.is_forum) return;
  const choices = [{ id: null, name: "General" }, ...chat.topics].map((topic) => {
    const made = node("button", { type: "button" }, topic.name);
    made.setAttribute("aria-pressed", String(topic.id === open.topic));
    made.addEventListener("click", () => { open.topic = topic.id; drawTalk(true); });
    return made;
  });
  const more = node("button", { type: "button", title: "New topic" }, "+");
  more.addEventListener("click", async () => {
    const name = prompt("Name of the topic");
    if (name) { open.topic = (await attempt(tell("topic", { chat: open.key, name })))?.topic ?? open.topic; await load(true); }
  });
  at("topics").replaceChildren(...choices, more);
}

// Whether the end of the messages stays in view when they grow.
let stick = true;

function drawMessages(toEnd) {
  const box = at("messages");
  stick = toEnd || box.scrollHeight - box.scrollTop - box.clientHeight < 80;
  const chat = open.chat;
  const here = chat.is_forum ? chat.messages.filter((message) => message.topic === open.topic) : chat.messages;
  const on = { press, jump, menu: messageMenu, command: (text) => say(text) };
  box.replaceChildren(
    ...grouped(here).map((message) => bubble(message, me(), chat.kind !== "private", on)),
    ...chat.drafts.map(draft));
  if (stick) box.scrollTop = box.scrollHeight;
}

function jump(id) {
  at(`m${id}`)?.scrollIntoView({ block: "center" });
}

// --- what a person does -------------------------------------------------------------------------------------

async function attempt(promise) {
  try {
    return await promise;
  } catch (error) {
    toast(error.message);
    return null;
  }
}

async function press(message, label) {
  await attempt(tell("click", { chat: open.key, person: me(), message: message.id, label }));
}

function place() {
  return { chat: open.key, person: me(), reply_to: open.reply?.id ?? null, topic: open.topic };
}

async function say(text) {
  if (open.edit) await attempt(tell("edit", { chat: open.key, message: open.edit.id, text }));
  else if (open.files.length) await sendFiles(text);
  else await attempt(tell("say", { ...place(), text }));
  Object.assign(open, { reply: null, edit: null, files: [] });
  await load(true);
}

async function sendFiles(caption) {
  const files = open.files;
  const pictures = files.every((file) => /^image\/(png|jpeg|gif|webp)$/.test(file.type));
  if (pictures && files.length > 1) await attempt(upload("album", { ...place(), caption }, files));
  else for (const [number, file] of files.entries()) {
    await attempt(upload(pictures ? "photo" : "document", { ...place(), caption: number ? "" : caption }, [file]));
  }
}

function drawContext() {
  const about = open.edit || open.reply;
  at("context").hidden = !about;
  if (about) at("context-text").textContent = `${open.edit ? "Editing" : `Reply to ${about.author}`}: ${about.text || "a file"}`;
  at("pending").hidden = !open.files.length;
  at("pending").replaceChildren(...open.files.map((file) => node("span", {}, file.name)));
}

function drawCommands() {
  const typed = at("text").value;
  const matching = typed.startsWith("/") && !typed.includes(" ")
    ? overview.bot.commands.filter((one) => `/${one.command}`.startsWith(typed.toLowerCase())) : [];
  at("commands").hidden = !matching.length;
  at("commands").replaceChildren(...matching.map((one) => {
    const made = node("button", { type: "button" }, node("b", {}, `/${one.command}`), node("span", {}, one.description));
    made.addEventListener("click", () => { at("text").value = `/${one.command} `; at("commands").hidden = true; at("text").focus(); });
    return node("li", {}, made);
  }));
}

// --- menus and notices ----------------------------------------------------------------------------------------

function popup(button, entries) {
  const menu = at("menu");
  menu.replaceChildren(...entries.map(([label, act]) => {
    if (label === "reactions") {
      return node("div", { className: "row" }, ...act.map(([emoji, react]) => choice(emoji, react)));
    }
    return choice(label, act);
  }));
  menu.hidden = false;
  const box = button.getBoundingClientRect();
  menu.style.top = `${Math.max(4, Math.min(box.bottom, innerHeight - menu.offsetHeight - 8))}px`;
  menu.style.left = `${Math.max(4, Math.min(box.left, innerWidth - menu.offsetWidth - 8))}px`;
  menu.querySelector("button")?.focus();
}

function choice(label, act) {
  const made = node("button", { type: "button" }, label);
  made.addEventListener("click", async () => { at("menu").hidden = true; await act(); await load(); });
  return made;
}

function messageMenu(button, message, mine) {
  const react = (emoji) => attempt(tell("react", { chat: open.key, person: me(), message: message.id, emoji }));
  const entries = [["reactions", ["👍", "👎", "❤", "🔥", "🎉"].map((emoji) => [emoji, () => react(emoji)])]];
  entries.push(["Reply", () => { Object.assign(open, { reply: message, edit: null }); at("text").focus(); }]);
  if ((mine || open.chat.kind === "channel") && !message.from_bot && message.text) {
    entries.push(["Edit", () => { Object.assign(open, { edit: message, reply: null }); at("text").value = message.text; at("text").focus(); }]);
  }
  entries.push(["Copy text", () => navigator.clipboard?.writeText(message.text)]);
  if (mine) entries.push(["Delete", () => attempt(tell("delete", { chat: open.key, message: message.id }))]);
  popup(button, entries);
}

function chatMenu() {
  const chat = open.chat;
  const change = (name) => async () => {
    const done = await attempt(tell("member", { chat: open.key, change: name }));
    if (done?.chat) await enter(done.chat);
  };
  const entries = [];
  if (chat.kind === "private") entries.push(chat.blocked ? ["Unblock the bot", change("unblock")] : ["Block the bot", change("block")]);
  else entries.push(chat.bot_is_here ? ["Remove the bot", change("kick")] : ["Add the bot", change("add")]);
  if (chat.kind === "group" && !chat.migrated_to) entries.push(["Make it a supergroup", change("migrate")]);
  entries.push(["Send the last update again", () => attempt(tell("updates", { change: "redeliver" }))]);
  entries.push(["Break the bot's poll", () => attempt(tell("updates", { change: "disconnect" }))]);
  entries.push(["Answer its next call with 429", () => attempt(tell("fault", { kind: "too_fast", retry_after: 5 }))]);
  entries.push(["Lose its next answer", () => attempt(tell("fault", { kind: "lose_answer" }))]);
  popup(at("more"), entries);
}

let toastEnds = 0;
function toast(text, alert = false) {
  if (!text) return;
  clearTimeout(toastEnds);
  at("toast").textContent = text;
  at("toast").classList.toggle("alert", alert);
  at("toast").hidden = false;
  toastEnds = setTimeout(() => { at("toast").hidden = true; }, alert ? 8000 : 4000);
}

// --- new chats --------------------------------------------------------------------------------------------------

function drawKind() {
  const kind = at("kind").value;
  at("title-field").hidden = kind === "private";
  at("people-field").hidden = kind === "channel";
  at("people-label").textContent = kind === "private" ? "Person" : "People";
  at("new-people").placeholder = kind === "private" ? "Cleo" : "Ann, Bob";
}

async function make() {
  const kind = at("kind").value;
  const people = at("new-people").value.split(",").map((name) => name.trim()).filter(Boolean);
  const made = kind === "private"
    ? await attempt(tell("private", { person: people[0] || "" }))
    : await attempt(tell("group", { kind, title: at("new-title").value.trim(), people }));
  if (!made) return;
  at("new-title").value = at("new-people").value = "";
  await refresh();
  await enter(made.chat);
}

// --- changes ------------------------------------------------------------------------------------------------------

async function refresh() {
  overview = await get("/sim/state");
  drawChats();
}

let waiting = false;
let stale = { chats: false, chat: false };
function changed(change) {
  if (change.kind === "notice") {
    toast(change.text, change.alert);
    document.querySelectorAll('[aria-busy="true"]').forEach((button) => button.removeAttribute("aria-busy"));
    return;
  }
  stale.chats = true;
  stale.chat ||= change.kind === "reload" || change.chat === open.key;
  if (waiting) return;
  waiting = true;
  setTimeout(async () => {
    waiting = false;
    const was = stale;
    stale = { chats: false, chat: false };
    await attempt(refresh());
    if (was.chat) await attempt(load());
  }, 60);
}

// --- the start ----------------------------------------------------------------------------------------------------

at("messages").addEventListener("load", () => { if (stick) at("messages").scrollTop = at("messages").scrollHeight; }, true);
at("composer").addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = at("text").value.trim();
  if (!text && !open.files.length) return;
  at("text").value = "";
  at("commands").hidden = true;
  grow();
  await say(text);
});
at("text").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); at("composer").requestSubmit(); }
  if (event.key === "Escape") { Object.assign(open, { reply: null, edit: null, files: [] }); drawContext(); }
});
function grow() {
  const box = at("text");
  box.style.height = "auto";
  box.style.height = `${Math.min(box.scrollHeight + 2, 160)}px`;
}
at("text").addEventListener("input", () => { grow(); drawCommands(); });
at("text").addEventListener("paste", (event) => {
  const files = [...event.clipboardData.files];
  if (files.length) { event.preventDefault(); open.files.push(...files); drawContext(); }
});
at("attach").addEventListener("click", () => at("files").click());
at("files").addEventListener("change", () => { open.files.push(...at("files").files); at("files").value = ""; drawContext(); at("text").focus(); });
at("context-end").addEventListener("click", () => { Object.assign(open, { reply: null, edit: null }); drawContext(); });
at("speaker").addEventListener("change", () => { open.speaker[open.key] = at("speaker").value; drawTalk(false); });
at("more").addEventListener("click", chatMenu);
at("back").addEventListener("click", () => { document.body.classList.remove("talking"); open.key = null; drawChats(); });
at("new-chat").addEventListener("click", () => { drawKind(); at("dialog").showModal(); });
at("kind").addEventListener("change", drawKind);
at("dialog").addEventListener("close", () => { if (at("dialog").returnValue === "make") make(); at("dialog").returnValue = ""; });
document.addEventListener("click", (event) => { if (!event.target.closest("#menu, .act, #more")) at("menu").hidden = true; });
document.addEventListener("keydown", (event) => { if (event.key === "Escape") at("menu").hidden = true; });
// A busy sign and a draft end by themselves, without anything happening.
setInterval(() => { if (open.chat && (open.chat.action || open.chat.drafts.length)) load(); }, 2000);
follow(changed);
