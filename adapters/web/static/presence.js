// The stream rests while nobody looks, and comes back with the reader and with the network.

import { seen } from "./attention.js";
import { say } from "./connection.js";
import { listConversations } from "./conversations.js";
import { page } from "./page.js";
import { connect, disconnect, isConnected } from "./stream.js";

const HIDDEN_MS = 60000; // browsers allow six streams for all tabs together

let resting = 0;

export function listen() {
  window.addEventListener("offline", () => say("You are offline"));
  window.addEventListener("online", () => {
    say("Reconnecting…");
    if (!page.new) connect();
    else say("");
  });
  document.addEventListener("visibilitychange", () => {
    clearTimeout(resting);
    if (document.hidden) {
      resting = setTimeout(disconnect, HIDDEN_MS);
      return;
    }
    seen();
    if (!isConnected() && !page.new) connect();
    listConversations();
  });
}
