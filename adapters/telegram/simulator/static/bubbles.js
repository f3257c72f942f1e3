// Messages as bubbles.

import { node, words } from "/static/text.js";

export function hue(name) {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)) % 9973;
  return sum % 7;
}

export function initials(name) {
  return name.split(/\s+/).filter(Boolean).slice(0, 2).map((word) => [...word][0].toUpperCase()).join("");
}

function clock(seconds) {
  return new Date(seconds * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

function size(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1048576 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1048576).toFixed(1)} MB`;
}

function picture(photo) {
  return node("a", { href: photo.url, target: "_blank" }, node("img", { className: "picture", src: photo.url, alt: photo.name }));
}

function file(document) {
  const kind = (document.name.includes(".") ? document.name.split(".").pop() : "file").slice(0, 4);
  return node("a", { className: "file", href: document.url, download: document.name },
    node("span", { className: "kind" }, kind), node("span", {}, document.name, node("small", {}, size(document.size))));
}

function quote(reply, onJump) {
  const made = node("button", { type: "button", className: "quote" }, node("b", {}, reply.author), node("span", {}, reply.text));
  made.addEventListener("click", () => onJump(reply.id));
  return made;
}

function keyboard(message, on) {
  return node("div", { className: "keyboard" }, ...message.buttons.map((row) => node("div", { className: "row" },
    ...row.map((button) => {
      if (button.url) return node("a", { href: button.url, target: "_blank", rel: "noopener noreferrer" }, `${button.text} ↗`);
      const made = node("button", { type: "button", className: button.style || "" }, button.text);
      made.addEventListener("click", () => { made.setAttribute("aria-busy", "true"); on.press(message, button.text); });
      return made;
    }))));
}

function reactions(message) {
  const counts = new Map();
  for (const emoji of message.reactions) counts.set(emoji, (counts.get(emoji) || 0) + 1);
  return node("div", { className: "reactions" },
    ...[...counts].map(([emoji, count]) => node("span", {}, count > 1 ? `${emoji} ${count}` : emoji)));
}

export function bubble(message, me, isGroup, on) {
  if (message.note) return node("p", { className: "note", id: `m${message.id}` }, message.note);
  const mine = message.person !== null && message.person === me;
  const pictures = message.album || (message.photo ? [message.photo] : []);
  const inside = node("div", { className: "bubble" });
  if (isGroup && !mine) inside.append(node("b", { className: `author name-${hue(message.author)}` }, message.author));
  if (message.reply_to) inside.append(quote(message.reply_to, on.jump));
  if (pictures.length) inside.append(node("div", { className: pictures.length > 1 ? "album" : "" }, ...pictures.map(picture)));
  for (const one of message.documents || (message.document ? [message.document] : [])) inside.append(file(one));
  if (message.text) inside.append(words(message.text, message.entities, on.command));
  const title = message.edits.length ? `before: ${message.edits.slice(-3).join(" · ").slice(0, 300)}` : "";
  inside.append(node("span", { className: "meta", title }, `${message.edited ? "edited " : ""}${clock(message.date)}`));
  const act = node("button", { type: "button", className: "round act" }, "⋯");
  act.setAttribute("aria-label", "What to do with this message");
  act.addEventListener("click", () => on.menu(act, message, mine));
  const made = node("article", { className: mine ? "message mine" : "message", id: `m${message.id}` }, inside, act);
  if (message.reactions.length) made.append(reactions(message));
  if (message.buttons.length) made.append(keyboard(message, on));
  return made;
}

export function draft(growing) {
  return node("article", { className: "message draft" }, node("div", { className: "bubble" },
    growing.text ? words(growing.text, growing.entities, () => {}) : "Thinking…"));
}

// Messages of one album stand together.
export function grouped(messages) {
  const shown = [];
  for (const message of messages) {
    const before = shown[shown.length - 1];
    if (message.group && before && before.group === message.group) {
      if (message.photo) before.album.push(message.photo);
      if (message.document) before.documents.push(message.document);
      if (message.text) {
        before.entities = before.text ? before.entities : message.entities;
        before.text = before.text ? `${before.text}\n${message.text}` : message.text;
      }
    } else if (message.group) {
      shown.push({ ...message, album: message.photo ? [message.photo] : [], documents: message.document ? [message.document] : [] });
    } else {
      shown.push(message);
    }
  }
  return shown;
}
