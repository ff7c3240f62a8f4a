// A sum of equation (1) in three rows: the chain rule, symbols, numbers. It is laid out once, with its final contents; a factor that is
// not known yet is a hole of its final size. So a step only fills holes, and nothing moves. If its lines are higher than its box, each
// term takes a line, with the chain rule, symbols and numbers side by side.

import { all, find, html } from "./dom.js";
import { keepInView, whenLaidOut } from "./places.js";

const SMALLEST_SUM = 0.75; // the smallest size of a sum in one line; a longer sum takes several lines
const IN_LINES = 0.85; // the size of a sum in several lines
const SMALLEST_TERM = 0.65; // the smallest size of a term that is wider than a line; then the box scrolls
const MANY = 5; // more terms probably take several lines
const SIZES = 20; // steps between size 0 and 1: the browser prepares a font for each size
const SPARE = 6; // pixels: borders and rounded widths do not shrink with the text
const SUM_BEGINS = 3; // the first column of the terms, after the row's label and dz/dx

// `terms` and `results` are the final ones. A result is the place of its formula, or null.
/** @param {Run} run */
export function makeSum(run, x, terms, results) {
  // The place of a formula. It shows a `?` of the same size until the formula is known.
  function makePlace(name, last) {
    const element = html("span", { class: `place ${name}` });
    let held;
    const hold = place => held !== place && element.replaceChildren((held = place) === null ? html("span", {}, "?") : run.formula(place));
    hold(last);
    return {
      element,
      show(place) {
        if (place !== null) hold(place);
        element.classList.toggle("hole", place === null);
      },
    };
  }

  // The factors of a term. Of two factors, the first is a total derivative and the second a partial.
  function makeTerm(k, factors) {
    const names = factors.length === 2 && !run.keeps.includes("path") ? ["total", "partial"] : factors.map(() => "partial");
    const places = factors.map((last, n) => makePlace(names[n], last));
    const parts = places.flatMap(({ element }, n) => (n ? [html("span", { class: "times" }, "·"), element] : [element]));
    const cell = html("td", { class: "term" },
      html("span", { class: "sign" }, k ? "+" : "="), html("span", { class: "product" }, ...parts));
    return {
      cell,
      show(now, active) {
        cell.classList.toggle("active", active);
        cell.classList.toggle("unseen", now === undefined && k > 0);
        places.forEach((place, n) => place.show(now?.[n] ?? null));
      },
    };
  }

  function makeRow(name, label) {
    const left = html("td", { class: "left" }, ...(name === "chain" ? [run.formula(run.variables[x].total)] : []));
    const row = html("tr", { class: name }, html("th", { scope: "row" }, label), left);
    const products = terms.length ? terms.map((term, k) => makeTerm(k, term[name])) : [makeTerm(0, [null])];
    const cells = products.map(({ cell }) => cell), result = makePlace("result", results[name]);
    if (results[name] !== null) cells.push(html("td", { class: "end" }, html("span", { class: "sign" }, "="), result.element));
    row.append(...cells);
    return {
      row, cells,
      show(now, found) {
        products.forEach((product, k) => product.show(now[k]?.[name], !!now[k]?.active));
        if (found[name] !== null) result.show(found[name]);
        result.element.parentNode?.classList.toggle("unseen", found[name] === null);
      },
    };
  }

  const hasRules = terms.some(({ chain, symbols }) => `${chain}` !== `${symbols}`); // else each contribution is only a name
  const symbols = !run.tensors ? [makeRow("symbols", "symbols")] : hasRules ? [makeRow("symbols", "rules")] : [];
  const rows = [makeRow("chain", "chain rule"), ...symbols, makeRow("numbers", "numbers")];
  const body = html("tbody"), table = html("table", { class: "chain-rule" }, body);
  const box = html("div", { class: "rows", "data-scrolls": "", role: "region", "aria-label": "chain rule, symbols, numbers" }, table);
  const columns = Math.max(...rows.map(({ cells }) => cells.length));
  const guess = columns > MANY ? IN_LINES : 1; // the probable size: a change of size lays out the whole sum again
  let drawn; // as it is arranged now
  set(columns, guess);

  // Arrange `inLine` terms in a line, at this size; all three rows break at the same terms. Or arrange the rows side by side, by term.
  function set(inLine, size, byTerm = false) {
    drawn = { inLine, size, byTerm };
    table.style.fontSize = `${size}em`;
    table.classList.toggle("by-term", byTerm);
    rows.forEach(({ row, cells }, r) => {
      const [label, left] = row.children;
      label.style.gridArea = byTerm ? `1 / ${r + 2}` : `${r + 1} / 1`;
      left.style.gridArea = byTerm ? `${r ? 1 : 2} / 1` : `${r + 1} / 2`;
      cells.forEach((cell, k) => {
        const line = Math.floor(k / inLine);
        cell.style.gridArea = byTerm ? `${k + 2} / ${r + 2}` : `${rows.length * line + r + 1} / ${SUM_BEGINS + (k % inLine)}`;
        cell.classList.toggle("first", !byTerm && r === 0 && line > 0);
      });
    });
  }

  // Shrink the sum a little, then break it into lines. If a term is still too wide, the box scrolls. Letters do not shrink as exactly
  // as their sizes do, so what was arranged is measured again, until it fits.
  function fit(again) {
    const widths = Array.from({ length: columns }, (_, k) => Math.max(...rows.map(({ cells }) => cells[k]?.offsetWidth ?? 0)));
    const widthOf = inLine =>
      Array.from({ length: inLine }, (_, j) => Math.max(...widths.filter((_width, k) => k % inLine === j))).reduce((a, b) => a + b);
    const room = box.clientWidth - rows[0].cells[0].offsetLeft, measured = drawn.size;
    if (again && widthOf(drawn.inLine) <= room) return undefined;
    for (let lines = Math.ceil(columns / drawn.inLine); lines <= columns; lines++) {
      const inLine = Math.ceil(columns / lines);
      const size = Math.min(lines > 1 ? IN_LINES : 1, ((room - SPARE) / widthOf(inLine)) * measured);
      if (size >= SMALLEST_SUM || inLine === 1) {
        const steady = Math.max(inSteps(size), SMALLEST_TERM);
        return inLine === drawn.inLine && steady === measured ? undefined : () => set(inLine, steady);
      }
    }
  }

  // Whether a sum in several lines is higher than its box is known once it is shown. Then it gets the room of the rule above it, then a
  // line for each term.
  function fitHeight() {
    const room = box.clientHeight, high = table.offsetHeight;
    if (!room) return undefined;
    checked = true;
    if (high <= room + 1 || (drawn.inLine === columns && !drawn.byTerm)) return undefined;
    if (!crowded()) return () => { box.classList.add("crowded"); set(columns, guess); };
    const larger = drawn.byTerm ? room / high : Math.min(IN_LINES / drawn.size, box.clientWidth / widthByTerm());
    const size = inSteps(drawn.size * larger);
    if (drawn.byTerm) return drawn.size > SMALLEST_TERM ? () => set(columns, Math.max(size, SMALLEST_TERM), true) : undefined;
    return size < SMALLEST_TERM ? undefined : () => set(columns, size, true);
  }

  function widthByTerm() {
    const breadth = cell => cell.lastChild.getBoundingClientRect().right - cell.getBoundingClientRect().left;
    const widths = rows.map(({ cells }) => Math.max(...cells.map(breadth)));
    return widths.reduce((a, b) => a + b, find(".left", table).offsetWidth + SPARE);
  }

  const inSteps = size => Math.floor(size * SIZES) / SIZES;
  const crowded = () => box.classList.contains("crowded");

  function arrange(again = false) {
    whenLaidOut(table, () => {
      const change = (drawn.byTerm ? undefined : fit(again)) ?? fitHeight(), { row, cells } = rows[0];
      const label = row.firstChild.offsetWidth, room = box.clientWidth - cells[0].offsetLeft; // beside labels that stay
      return () => {
        table.style.setProperty("--label", `${label}px`);
        table.style.setProperty("--room", `${room}px`);
        if (change) {
          change();
          arrange(drawn.inLine < columns || drawn.size !== guess);
          follow();
        }
      };
    });
  }

  // Scroll to the active term, or to the result at the end.
  function follow() {
    const first = find(".active, .end:not(.unseen)", table), last = all(".active, .end:not(.unseen)", table).at(-1);
    if (first) keepInView(box, first, last);
  }

  let laidOut = false, checked = false; // checked: whether it is higher than its box

  const sum = {
    box,
    // Add one row; after the last row, break the lines. The layout of a long sum takes most of the time of a step, so it is done in parts.
    prepare() {
      if (body.children.length < rows.length) body.append(rows[body.children.length].row);
      else if (!laidOut) sum.fit();
    },
    finish() {
      while (!laidOut) sum.prepare();
    },
    show(now, found) {
      rows.forEach(row => row.show(now, found));
      if (laidOut && !checked && !box.classList.contains("behind")) arrange(true);
      follow();
    },
    // Call this after the sum is on the page, and whenever the size of the page changes.
    fit() {
      if (laidOut) set(columns, guess);
      box.classList.remove("crowded");
      [laidOut, checked] = [true, false];
      arrange();
    },
  };
  return sum;
}
