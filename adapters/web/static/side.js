// The side of the page: opened and closed on a phone, and the way out.

import { post } from "./api.js";
import { byId } from "./page.js";

function openSide(open) {
  document.body.classList.toggle("side-open", open);
  byId("menu").setAttribute("aria-expanded", String(open));
  if (open) byId("side").querySelector("a").focus();
  else if (byId("side").contains(document.activeElement)) byId("menu").focus();
}

async function signOut() {
  const answer = await post("/sign-out", {});
  if (answer.status === 200 || answer.status === 401) {
    sessionStorage.clear();
    location.assign("/");
  }
}

export function listen() {
  byId("menu").addEventListener("click", () => openSide(!document.body.classList.contains("side-open")));
  byId("veil").addEventListener("click", () => openSide(false));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && document.body.classList.contains("side-open")) openSide(false);
  });
  byId("sign-out").addEventListener("click", signOut);
}
