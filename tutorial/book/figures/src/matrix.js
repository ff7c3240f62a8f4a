// Matrices in pictures: cells that can be pointed at, each with a number, and beneath it another one.

import { box, group, part, words } from "./svg.js";

export const column = (rows, j) => rows.map(row => row[j]);
export const inner = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);
export const indices = (rows, columns) =>
  Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (__, j) => [i, j])).flat();

// Return the state in which the cell is pointed at that a place names, such as "J 1 2": its matrix, row and column.
export function point(_, at) {
  const [of, i, j] = at.split(" ");
  return { of, i: Number(i), j: Number(j) };
}

// Return the place beside it in the direction of an arrow key.
export function beside(state, at, [right, up]) {
  const { of, i, j } = point(state, at);
  return `${of} ${i - up} ${j + right}`;
}

// Return the cells of a matrix, whose corner is at x, y. `cell(i, j)` says of each: its text, what is `below` it, its `look`, and, if it
// can be pointed at, `at`, its `label`, and whether it `stops` the tab key.
export function matrix({ x, y, rows, columns, wide, high, name = "", cell }) {
  return group({},
    name ? words(x + (columns * wide) / 2, y - 8, name, { class: "name", "text-anchor": "middle" }) : "",
    indices(rows, columns).map(([i, j]) => {
      const { text, below = "", look = "", at = "", label = "", stops = false, style = null } = cell(i, j);
      const left = x + j * wide, top = y + i * high, middle = { class: "number", "text-anchor": "middle" };
      const content = [
        box(left + 1.5, top + 1.5, wide - 3, high - 3, { rx: 5, class: "cell", style }),
        words(left + wide / 2, top + high / 2 + (below ? -3 : 5), text, middle),
        below ? words(left + wide / 2, top + high - 7, below, { ...middle, class: "below total" }) : "",
      ];
      return at ? part(at, label, stops, { class: look }, content) : group({ class: look }, content);
    }),
  );
}
