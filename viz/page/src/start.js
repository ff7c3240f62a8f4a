// Start the page: unpack its data, and play them. Other scripts of the page may stand after this one: it waits until they are there.

import { fromColumns, pageData } from "./data.js";
import { find } from "./dom.js";
import { followParent } from "./frame.js";
import { startPlayers } from "./zoom.js";

const changes = [], actions = [];

// Play change(data) in place of the data; call action(player) when the page has started, and when it plays another graph.
export const beforeStart = change => changes.push(change);
export const whenStarted = action => actions.push(action);

export function start() {
  followParent(); // at once: the message may come before long data are unpacked
  const parsed = new Promise(done => addEventListener("DOMContentLoaded", done));
  Promise.all([pageData(), parsed]).then(([data]) => begin(changes.reduce((found, change) => change(found), fromColumns(data))));
}

function begin(data) {
  document.body.classList.remove("still");
  find("#picture").remove();
  find("#transcript").open = false;
  startPlayers(data, player => actions.forEach(action => action(player)));
  document.fonts.ready.then(() => dispatchEvent(new Event("resize"))); // measure again what was measured in another font
}
