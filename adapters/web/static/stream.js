// The stream of events: what happens is shown, breaks are mended, gaps are filled from the history.

import { look, rest } from "./api.js";
import { trouble, well } from "./connection.js";
import { show, showOnly } from "./messages.js";
import { base, byId, page } from "./page.js";
import { grow } from "./preview.js";

const BEAT_MS = 40000; // the server gives a sign of life every 15 s

let source = null;
let watchdog = 0;
let failures = 0;
let change = Number(page.change);

export const isConnected = () => source !== null;

export function connect() {
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

export function disconnect() {
  clearTimeout(watchdog);
  source?.close();
  source = null;
}

function alive() {
  well();
  watch();
}

function watch() {
  clearTimeout(watchdog);
  watchdog = setTimeout(() => {
    trouble();
    connect();
  }, BEAT_MS);
}

async function comeBack() {
  disconnect();
  await rest(failures);
  failures += 1;
  if (source) return;
  look(`${base()}/history`).then(connect, comeBack);
}

async function readAgain() {
  disconnect();
  try {
    const history = await (await look(`${base()}/history`)).json();
    change = history.change;
    byId("earlier").hidden = !history.more;
    showOnly(history.html);
    connect();
  } catch {
    comeBack();
  }
}
