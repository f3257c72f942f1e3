// The chat page: sends what is typed, shows what the server sends. All HTML comes from the server, which escapes it.

import { recall } from "./box.js";
import * as cards from "./cards.js";
import * as composer from "./composer.js";
import * as copying from "./copying.js";
import { dress } from "./dress.js";
import * as earlier from "./earlier.js";
import * as files from "./files.js";
import * as hints from "./hints.js";
import { showWork } from "./messages.js";
import { messages, page } from "./page.js";
import * as presence from "./presence.js";
import * as scroll from "./scroll.js";
import * as side from "./side.js";
import { connect } from "./stream.js";

for (const part of [scroll, presence, composer, cards, copying, files, hints, side, earlier]) part.listen();
for (const element of messages.children) dress(element);
recall();
scroll.toEnd();
scroll.showPlace();
showWork();
if (!page.new) connect();
