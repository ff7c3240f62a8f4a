// Make the texts of a box as large as the box allows, and leave out what has no room.

import { all, find, html } from "./dom.js";

const SIZES = [1, 0.94, 0.88, 0.82], SMALL_SIZES = [0.76, 0.7, 0.64, 0.58, 0.52]; // of the usual size

const overflows = e => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1;
const clips = e => getComputedStyle(e).overflow !== "visible" && e.checkVisibility({ visibilityProperty: true });

// Return whether a box, or a part of it, has no room for what it holds.
const isFull = box => [box, ...all("*", box)].some(e => e instanceof HTMLElement && e.clientWidth && overflows(e) && clips(e));

// Shrink what a box holds until it fits. Before it is hard to read, the box shows less: data-less="1", ... up to `most`, which its style
// knows. A list stays readable, and is cut. `changed` is called after each change; it returns whether the box has become hard to read.
export function fit(box, { most = 0, list = false, changed = () => false } = {}) {
  const levels = [...Array(most + 1).keys()];
  const ways = [...levels.flatMap(less => SIZES.map(size => [less, size])), ...(list ? [] : SMALL_SIZES.map(size => [most, size]))];
  for (const [less, size] of ways) {
    box.style.zoom = size;
    box.dataset.less = less;
    const hard = changed();
    if (!hard && !isFull(box)) return;
  }
}

// Paint a box with as many rows as it is high enough for: `most`, or else a number that is searched for by halves, `least` at least.
export function fewer(box, most, least, paint) {
  const fits = count => {
    paint(count);
    return box.scrollHeight <= box.clientHeight + 1;
  };
  if (fits(most)) return;
  let enough = least, tooMany = most;
  while (tooMany - enough > 1) {
    const middle = (enough + tooMany) >> 1;
    if (fits(middle)) enough = middle;
    else tooMany = middle;
  }
  paint(enough);
}

// Hide parts of a box, one by one, until the others have room. `told(n)` is called after each.
export function cut(box, parts, told = n => n) {
  for (let k = 0; k < parts.length && isFull(box); k++) {
    parts[k].hidden = true;
    told(k + 1);
  }
}

// Leave out items of a list of derivatives that have no room, and say how many. The items of these variables are left out last.
export function cutList(list, kept) {
  const items = all("[data-variable]", list), isKept = item => kept.includes(+item.dataset.variable);
  if (!isFull(list)) return;
  const more = html("li", { class: "more" }, "…");
  list.append(more);
  cut(list, [...items.filter(item => !isKept(item)), ...items.filter(isKept).reverse()], n => (more.textContent = `… ${n} more`));
}

// Show all items again.
export function showAll(list) {
  find(".more", list)?.remove();
  for (const item of list.children) item.hidden = false;
}
