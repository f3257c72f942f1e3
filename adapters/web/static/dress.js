// From the server's HTML to elements with buttons, links and times as this browser shows them.

import { make } from "./page.js";
import { isAtEnd, toEnd } from "./scroll.js";

const FOLDED_LINES = 40;

export function parse(html) {
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
export function finish(root) {
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

export function dress(element) {
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
