// An answer that grows while it is written.

import { finish, parse } from "./dress.js";
import { byId } from "./page.js";
import { keepPlace } from "./scroll.js";

// Replace only the blocks that changed, so that a selection in earlier ones stays.
export function grow(preview) {
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
