// A table of the parameters: how long the gradient of each is, and its share of the fall in a step of descent.

import { html, table } from "../dom.js";
import { digits } from "../say.js";

const MOST_ROWS = 7;

export const tableOf = (titles, rows) =>
  table(titles, rows.map(cells => html("tr", {}, ...cells.map(cell => html("td", {}, ...[cell].flat())))));

// `squares` are [{leaf, square}]: of each leaf the sum of the squares of its slopes.
/** @param {Run} run */
export function sharesTable(run, squares) {
  const sum = squares.reduce((all, { square }) => all + square, 0) || 1, order = [...squares].sort((a, b) => b.square - a.square);
  const rows = order.slice(0, MOST_ROWS).map(({ leaf, square }) => {
    const { written, shape } = run.variables[leaf];
    return [
      run.formula(written), shape.reduce((a, b) => a * b, 1).toLocaleString("en"), digits(Math.sqrt(square), 3),
      `${Math.round((100 * square) / sum)} %`,
    ];
  });
  const rest = order.length - rows.length;
  return tableOf(["parameter", "entries", "length of gradient", "share"], [...rows, ...(rest > 0 ? [[`${rest} more`, "", "", ""]] : [])]);
}
