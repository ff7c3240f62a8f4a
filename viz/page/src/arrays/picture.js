// Paint the picture of an array: cells, the scale that says which shade is which number, and a note. viz/array_picture.py computes it.

import { svg } from "../dom.js";

export const SHADES = 16;
export const MATRIX_GAP = 4; // box_sizes.py has these two sizes too
export const BAR_ROOM = 14;
const BAR_TOP = 5, BAR_HIGH = 7;
const DIGIT = 0.64; // the width of a digit, in font sizes

const shade = level =>
  `color-mix(in srgb, var(--${level < 0 ? "negative" : "positive"}) ${(Math.abs(level) / SHADES) * 100}%, var(--zero-fill))`;

// Return the cells of a matrix, a path for each shade. A cell that is not finite is crossed out.
function paintCells(text, columns, wide, high) {
  const paths = new Map();
  [...text].forEach((letter, k) => {
    const level = letter === "." ? null : parseInt(letter, 36) - SHADES;
    const start = `M${(k % columns) * wide} ${Math.floor(k / columns) * high}`;
    const shape = level === null ? `l${wide} ${high}m0-${high}l-${wide} ${high}` : `h${wide}v${high}h-${wide}z`;
    paths.set(level, (paths.get(level) ?? "") + start + shape);
  });
  return [...paths].map(([level, d]) => {
    const path = svg("path", { d, class: level === null ? "crossed" : "cells" });
    if (level !== null) path.style.fill = shade(level);
    return path;
  });
}

// Return the elements of a picture in a space of this width, with cells of this size and text of size `font`; without a font, no scale.
export function paintPicture({ cells, columns, across, bar, labels, zero, note, rings = [] }, width, cell, font) {
  const wide = columns * cell, high = (cells[0].length / columns) * cell, middle = width / 2;
  const left = middle - (across * (wide + MATRIX_GAP) - MATRIX_GAP) / 2, down = Math.ceil(cells.length / across);
  const at = (x, y, ...parts) => svg("g", { transform: `translate(${x.toFixed(2)} ${y.toFixed(2)})` }, ...parts);
  const frame = (w, h) => svg("rect", { class: "matrix", width: w, height: h });
  const ring = place =>
    svg("rect", { class: "ring", x: (place % columns) * cell, y: Math.floor(place / columns) * cell, width: cell, height: cell });
  const text = (words, x, anchor, line = 1) =>
    svg("text", { x: x.toFixed(2), y: (bottom + BAR_ROOM + (1.15 * line - 0.2) * font).toFixed(2), "text-anchor": anchor }, words);
  const bottom = down * (high + MATRIX_GAP) - MATRIX_GAP;
  const matrices = cells.map((one, k) => {
    const own = rings.filter(place => Math.floor(place / one.length) === k).map(place => ring(place % one.length));
    const [x, y] = [left + (k % across) * (wide + MATRIX_GAP), Math.floor(k / across) * (high + MATRIX_GAP)];
    return at(x, y, ...paintCells(one, columns, cell, cell), frame(wide, high), ...own);
  });
  if (!font) return matrices;
  const [low, top] = labels, room = label => (label.length + 1.5) * DIGIT * font;
  const numbers = top === undefined ? [text(low, middle, "middle")] : [text(low, 0, "start"), text(top, width, "end")];
  if (zero) numbers.push(text("0", Math.max(room(low), Math.min(zero * width, width - room(top))), "middle"));
  if (note) numbers.push(text(note, middle, "middle", 2));
  return [
    ...matrices, at(0, bottom + BAR_TOP, ...paintCells(bar, bar.length, width / bar.length, BAR_HIGH), frame(width, BAR_HIGH)), ...numbers,
  ];
}
