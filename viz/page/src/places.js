// Scroll to what a step shows. Positions are measured once per step, after all panels are updated.

import { find } from "./dom.js";

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
  const top = moved(scrollTop, clientHeight, first.offsetTop - head - BESIDE, last.offsetTop + last.offsetHeight + BESIDE);
  const left = moved(scrollLeft, clientWidth, first.offsetLeft - BESIDE, last.offsetLeft + last.offsetWidth + BESIDE);
  return (top !== scrollTop || left !== scrollLeft) && (() => box.scrollTo(left, top));
});

// Return where a window of this size must begin to show all between two places; if it is too small, the beginning.
const moved = (at, size, begin, end) => Math.max(0, Math.min(Math.max(at, end - size), begin));
