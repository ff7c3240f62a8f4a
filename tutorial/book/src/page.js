// What every page of the book does, also a chapter in one file.

import { all } from "../../../viz/page/src/dom.js";
import { tellTheme } from "../../playground/src/theme.js";
import { keepPlace } from "./place.js";
import { beginPredictions } from "./predictions.js";
import { PLAYERS } from "./tasks.js";

export function beginPage() {
  for (const heading of all("[role=heading]:not([aria-level])")) heading.ariaLevel = "2"; // the theme's have none
  followEdges();
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

const SCROLLS = "div.math, pre, .cell_output, .drawing, .table-wrapper, .fig-still"; // sideways, if it is wider than its place

// What scrolls sideways can be reached by keys, and has a shadow at each edge beyond which there is more.
function followEdges() {
  const showIn = box => [box, ...all(SCROLLS, box)].forEach(showEdges); // a cell that ran again has a new text in its box
  const sizes = new ResizeObserver(entries => entries.forEach(({ target }) => showIn(target)));
  for (const box of all(SCROLLS)) sizes.observe(box);
  document.fonts.addEventListener("loadingdone", () => all(SCROLLS).forEach(showEdges));
  addEventListener("scroll", ({ target }) => target instanceof Element && target.matches(SCROLLS) && showEdges(target), true);
}

function showEdges(box) {
  const beyond = getComputedStyle(box).overflowX === "visible" ? 0 : box.scrollWidth - box.clientWidth;
  box.classList.toggle("more-left", beyond > 1 && box.scrollLeft > 1);
  box.classList.toggle("more-right", beyond > 1 && box.scrollLeft < beyond - 1);
  box.style.setProperty("--tall", `${box.clientHeight}px`); // of a shadow over a picture
  if (beyond > 1) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
}
