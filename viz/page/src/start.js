// Start the page: unpack its data, and play them, step by step or as slides.

import { pageData } from "./data.js";
import { find } from "./dom.js";
import { followParent } from "./frame.js";
import { makeSlides } from "./slides.js";
import { startPlayers } from "./zoom.js";

export function start(prepared = data => data) {
  followParent(); // at once: the message may come before long data are unpacked
  pageData().then(data => begin(prepared(data)));
}

function begin(data) {
  document.body.classList.remove("still");
  find("#picture").remove();
  find("#transcript").open = false;
  const player = startPlayers(data);
  if (data.slides) makeSlides(player, data.slides);
  document.fonts.ready.then(() => dispatchEvent(new Event("resize"))); // measure again what was measured in another font
}
