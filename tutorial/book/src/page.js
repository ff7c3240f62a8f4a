// What every page of the book does, also a chapter in one file.

import { all } from "../../../viz/page/src/dom.js";
import { tellTheme } from "../../playground/src/theme.js";
import { keepPlace } from "./place.js";
import { beginPredictions } from "./predictions.js";
import { PLAYERS } from "./tasks.js";

export function beginPage() {
  for (const when of ["load", "resize", "uncovered"]) addEventListener(when, makeReachable);
  document.fonts.addEventListener("loadingdone", makeReachable);
  beginPredictions();
  const themed = new MutationObserver(() => all("iframe").forEach(tellTheme));
  themed.observe(document.body, { attributes: true, attributeFilter: ["data-theme"] });
  for (const frame of all("iframe")) frame.addEventListener("load", () => tellTheme(frame));
  for (const frame of all(PLAYERS)) followHeight(frame);
}

// A player is as high as it needs; assets/book.css uses the height, but slides do not.
function followHeight(frame) {
  const ask = () => frame.contentWindow.postMessage({ framed: true }, "*");
  frame.addEventListener("load", ask);
  ask(); // it may be loaded already
  addEventListener("message", ({ source, data }) => {
    if (source !== frame.contentWindow || !data?.height) return;
    frame.style.setProperty("--height", `${data.height + 4}px`);
    keepPlace();
  });
}

// What scrolls sideways can be reached by keys, and the theme's headings have a level.
function makeReachable() {
  for (const box of all("div.math, pre, .cell_output, .drawing, .table-wrapper"))
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  for (const heading of all("[role=heading]:not([aria-level])")) heading.ariaLevel = "2";
}
