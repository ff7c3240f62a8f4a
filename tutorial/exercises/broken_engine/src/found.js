// The page of a comparison: the page that holds it in a frame tells its theme, and is told its height.

import { find } from "../../../../viz/page/src/dom.js";

const main = find("main");

addEventListener("message", ({ data }) => {
  if (data.theme) document.body.dataset.theme = data.theme;
});
new ResizeObserver(() => parent !== self && parent.postMessage({ height: main.offsetHeight }, "*")).observe(main);
