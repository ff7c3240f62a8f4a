// The page to look around in a graph.

import { pageData } from "./data.js";
import { Explorer } from "./explore/explorer.js";

const begun = performance.now();
pageData().then(data => {
  window.explorer = new Explorer(data);
  requestAnimationFrame(() => {
    window.explorer.openedAfter = performance.now() - begun;
  });
});
