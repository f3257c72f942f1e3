// What the page consists of: its facts, its places, and new elements for them.

export const page = document.body.dataset;
export const byId = (id) => document.getElementById(id);
export const messages = byId("messages");
export const scroller = byId("scroller");
export const text = byId("text");

export const base = () => `/chat/${page.conversation}`;

export function make(tag, className, content) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (content !== undefined) element.textContent = content;
  return element;
}
