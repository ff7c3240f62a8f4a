// A page in a frame of another page. That page says {theme: "dark"}, and {framed: true} if it gives the frame the height that this page
// then tells, {height}: frame.contentWindow.postMessage({framed: true}, "*").

import { setTheme } from "./controls.js";
import { find } from "./dom.js";

const SHARE = 0.56, LEAST = 640, MOST = 800; // the height of a page beside whose graph there are panels: of its width; pixels

export function followParent() {
  addEventListener("message", ({ source, data }) => {
    if (source !== parent || source === window) return;
    setTheme(data?.theme);
    if (data?.framed && !document.body.classList.contains("framed")) tellHeights();
  });
}

// Tell the height of the highest step of an act so far, so that what is below the frame seldom moves.
function tellHeights() {
  let width = 0, told = 0, highest = {};
  document.body.classList.add("framed");
  new ResizeObserver(() => {
    const scrolls = +getComputedStyle(find("#graph-panel")).getPropertyValue("--around") > 0, { offsetHeight } = document.body;
    const now = scrolls ? offsetHeight : Math.max(LEAST, Math.min(MOST, SHARE * innerWidth));
    const { act = "" } = document.body.dataset;
    if (innerWidth !== width) [width, highest] = [innerWidth, {}];
    highest[act] = Math.max(highest[act] ?? 0, now);
    if (highest[act] === told) return;
    told = highest[act];
    parent.postMessage({ height: Math.ceil(told) }, "*");
  }).observe(document.body);
  dispatchEvent(new Event("resize"));
}
