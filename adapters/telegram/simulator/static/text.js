// Texts with their entities as nodes. Offsets are UTF-16 code units, as strings of this language count.

export function node(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-") || key === "for") made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const PLAIN = { bold: "b", italic: "i", underline: "u", strikethrough: "s", code: "code", blockquote: "blockquote", expandable_blockquote: "blockquote" };

const BLOCKS = new Set(["pre", "blockquote", "expandable_blockquote"]);

function address(text) {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`;
}

function link(url) {
  const safe = /^(https?|mailto|tel|tg):/i.test(url) ? url : "#";
  return node("a", { href: safe, target: "_blank", rel: "noopener noreferrer" });
}

function wrapper(entity, covered, onCommand) {
  if (PLAIN[entity.type]) return node(PLAIN[entity.type]);
  if (entity.type === "pre") {
    const made = node("pre");
    if (entity.language) made.dataset.language = entity.language;
    return made;
  }
  if (entity.type === "text_link") return link(entity.url);
  if (entity.type === "url") return link(address(covered));
  if (entity.type === "email") return link(`mailto:${covered}`);
  if (entity.type === "spoiler") {
    const made = node("span", { className: "spoiler", title: "Show" });
    made.addEventListener("click", () => made.classList.add("open"));
    return made;
  }
  if (entity.type === "bot_command") {
    const made = node("button", { type: "button", className: "command" });
    made.addEventListener("click", () => onCommand(covered));
    return made;
  }
  return node("span", { className: "found" });
}

export function words(text, entities, onCommand) {
  const sorted = [...entities].sort((a, b) => a.offset - b.offset || b.length - a.length);
  const root = node("span", { className: "words" });
  fill(root, text, 0, text.length, sorted, onCommand);
  return root;
}

function fill(parent, text, start, end, entities, onCommand) {
  let place = start;
  let rest = entities;
  while (rest.length) {
    const [first, ...others] = rest;
    const from = Math.max(place, first.offset);
    const until = Math.min(end, first.offset + first.length);
    if (from > place) parent.append(text.slice(place, from));
    const inner = others.filter((other) => other.offset < until);
    if (until > from) {
      const made = wrapper(first, text.slice(from, until), onCommand);
      fill(made, text, from, until, inner, onCommand);
      parent.append(made);
    }
    place = Math.max(place, until);
    // A block ends its line by itself.
    if (BLOCKS.has(first.type) && text[place] === "\n") place += 1;
    rest = others.filter((other) => other.offset >= until);
  }
  if (end > place) parent.append(text.slice(place, end));
}
