// A picture of an array in which one can choose an entry, with the mouse or the arrow keys. A block of many entries opens.

import { button, html } from "../dom.js";
import { indicesOf } from "../numbers.js";
import { digits } from "../say.js";
import { Cells, steepest, windowsTo } from "./grids.js";
import { canvas, paint, pictureOf } from "./pictures.js";

// choose(entry) is called for an entry; of a block that opens it is the one with the largest number.
export function entryPicker(label, choose) {
  const target = canvas(label), out = button(showWhole, { class: "out", hidden: "" }, "whole array");
  const element = html("div", { class: "entries-picker" }, target, out);
  target.setAttribute("role", "application");
  target.tabIndex = 0;
  let now = null, windows = [], at = null, owner = null;

  const cells = () => new Cells(now.shape, windows.at(-1) ?? null);

  function take(k) {
    const found = cells();
    if (k < 0 || k >= found.count) return;
    const entries = found.entriesOf(k);
    if (!found.isWhole && entries.length > 1) windows.push(found.windowOf(k));
    choose(entries.length > 1 ? steepest(now.array, entries) : entries[0]);
  }

  target.addEventListener("click", event => take(at?.(event.offsetX, event.offsetY) ?? -1));
  target.addEventListener("keydown", event => {
    const { columns, rows } = cells(), k = cells().cellOf(now.entry);
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
    if (by === undefined || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation(); // the arrow keys of the page do not act here
    if (Math.abs(by) === 1 && Math.floor((k + by) / columns) !== Math.floor(k / columns) && rows > 1) return;
    const found = cells(), next = k + by;
    if (next >= 0 && next < found.count) choose(found.isWhole ? found.entriesOf(next)[0] : steepest(now.array, found.entriesOf(next)));
  });

  function showWhole() {
    windows = [];
    draw();
  }

  function draw() {
    const found = cells(), k = found.cellOf(now.entry);
    at = paint(target, pictureOf(found, now.array), {
      ...now.room, rings: [k], write: true, most: 40, stretch: now.stretch ?? (found.count <= 40 ? 1.7 : 1),
    });
    out.hidden = !windows.length;
    const where = `entry ${indicesOf(now.entry, now.shape).map(i => i + 1).join(", ")}`, number = digits(now.array[now.entry], 4);
    target.setAttribute("aria-label", `${now.label}: ${where} is ${number}. Arrow keys choose another`);
  }

  return {
    element,
    // Show an array, and which entry is chosen; `key` says whose it is.
    show(shown) {
      if (owner !== shown.key) windows = [];
      if (windows.length && new Cells(shown.shape, windows.at(-1)).cellOf(shown.entry) < 0) windows = windowsTo(shown.shape, shown.entry);
      owner = shown.key;
      now = shown;
      draw();
    },
  };
}
