// Scroll to what a step shows. Positions are measured once per step, after all panels are updated.

import { all, find } from "./dom.js";

// Measuring between two updates would make the browser lay out the page again. So `read` waits until all panels are updated: it
// measures, and returns a function that then changes the page, or nothing.
const waiting = new Map();
export const whenLaidOut = (box, read) => waiting.set(box, read);

export function settle() {
  while (waiting.size) {
    const reads = [...waiting.values()];
    waiting.clear();
    for (const change of reads.map(read => read())) if (change) change();
  }
}

const BESIDE = 6; // pixels around what is scrolled to: the edges of a scrolling box are shaded

// Scroll a box so that two of its parts, and all between them, are visible.
export const keepInView = (box, first, last = first) => whenLaidOut(box, () => {
  const { scrollTop, scrollLeft, clientHeight, clientWidth } = box;
  const head = find("thead", box)?.offsetHeight ?? 0; // it stays at the top of the box
  const left = find("table:not(.by-term) .left", box);
  const labels = left ? left.previousElementSibling.offsetWidth + left.offsetWidth : 0; // they stay at the left
  const begin = first.offsetTop - head, end = last.offsetTop + last.offsetHeight;
  const beside = Math.max(0, Math.min(BESIDE, (clientHeight - (end - begin)) / 2)); // what nearly fills the box gets all of it
  const top = moved(scrollTop, clientHeight, begin - beside, end + beside);
  const side = moved(scrollLeft, clientWidth, first.offsetLeft - labels - BESIDE, last.offsetLeft + last.offsetWidth + BESIDE);
  return (top !== scrollTop || side !== scrollLeft) && (() => box.scrollTo(side, top));
});

// Return where a window of this size must begin to show all between two places; if it is too small, the beginning.
const moved = (at, size, begin, end) => Math.max(0, Math.min(Math.max(at, end - size), begin));

// The Tab key stops at a box that scrolls, so that keys can scroll it. It does not stop at a box that shows all that it holds.
export const stopAtWhatScrolls = () => whenLaidOut("stops", () => {
  const boxes = all("[data-scrolls]"), scrolls = boxes.map(box => {
    const { overflowX, overflowY } = getComputedStyle(box);
    const wide = box.scrollWidth > box.clientWidth + 1, high = box.scrollHeight > box.clientHeight + 1;
    return (wide && overflowX === "auto") || (high && overflowY === "auto");
  });
  return () => boxes.forEach((box, k) => (scrolls[k] ? (box.tabIndex = 0) : box.removeAttribute("tabindex")));
});
