// A sum of equation (1), three times over: as it reads, in symbols, in numbers. It is laid out once, as it will be in the end; what is
// not known yet is a hole of the right size. So a step only fills holes, and nothing moves.

const SMALLEST_SUM = 0.75; // how far a sum shrinks before it goes on in new lines
const IN_LINES = 0.85; // the size of a sum that goes on in new lines
const SMALLEST_TERM = 0.6; // how far a term shrinks that is too wide for a line of its own; then one can scroll
const MANY = 5; // terms that likely go on in new lines
const SIZES = 20; // sizes between nothing and all: a font is prepared for each
const SUM_BEGINS = 3; // the first column of the terms: before it stand what the row is, and dz/dx

// `terms` and `results` are those of the end; a result is the place of its formula, null where there is none to show.
function makeSum(run, x, terms, results) {
  // A formula's own place; a `?` of the same size stands there until it is known.
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

  // The factors of a term: if they are two, the first is a total derivative, the second a partial.
  function makeTerm(k, factors) {
    const names = factors.length === 2 && !run.keeps.includes("path") ? ["total", "partial"] : factors.map(() => "partial");
    const places = factors.map((last, n) => makePlace(names[n], last));
    const parts = places.flatMap(({ element }, n) => (n ? [html("span", { class: "times" }, "·"), element] : [element]));
    const cell = html("td", { class: "term" }, html("span", { class: "sign" }, k ? "+" : "="), html("span", { class: "product" }, ...parts));
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

  const rows = [makeRow("chain", "chain rule"), makeRow("symbols", run.tensors ? "rules" : "symbols"), makeRow("numbers", "numbers")];
  const body = html("tbody"), table = html("table", { class: "chain-rule" }, body);
  const box = html("div", { class: "rows", tabindex: "0", role: "region", "aria-label": "chain rule, symbols, numbers" }, table);
  const columns = Math.max(...rows.map(({ cells }) => cells.length));
  const guess = columns > MANY ? IN_LINES : 1; // the size it will likely have: to change it would lay out all of it again
  place(columns, guess);

  // So many terms in a line, at this size. All three rows break at the same terms.
  function place(inLine, size) {
    table.style.fontSize = `${size}em`;
    rows.forEach(({ row, cells }, r) => {
      [...row.children].slice(0, SUM_BEGINS - 1).forEach((head, k) => (head.style.gridArea = `${r + 1} / ${k + 1}`));
      cells.forEach((cell, k) => {
        const line = Math.floor(k / inLine);
        cell.style.gridArea = `${rows.length * line + r + 1} / ${SUM_BEGINS + (k % inLine)}`;
        cell.classList.toggle("first", r === 0 && line > 0);
      });
    });
  }

  // It shrinks a little, then goes on in new lines; only what is too wide even so can be scrolled.
  function fit() {
    const widths = Array.from({ length: columns }, (_, k) => Math.max(...rows.map(({ cells }) => cells[k]?.offsetWidth ?? 0)) / guess);
    const room = box.clientWidth - rows[0].cells[0].offsetLeft;
    for (let lines = 1; lines <= columns; lines++) {
      const inLine = Math.ceil(columns / lines);
      const wide = Array.from({ length: inLine }, (_, j) => Math.max(...widths.filter((_, k) => k % inLine === j))).reduce((a, b) => a + b);
      const size = Math.min(lines > 1 ? IN_LINES : 1, room / wide);
      if (size >= SMALLEST_SUM || inLine === 1) {
        const steady = Math.max(Math.floor(size * SIZES) / SIZES, SMALLEST_TERM);
        return inLine === columns && steady === guess ? undefined : () => place(inLine, steady);
      }
    }
  }

  // What the step is at, the term or in the end the result, is seen.
  function follow() {
    const first = find(".active, .end:not(.unseen)", table), last = all(".active, .end:not(.unseen)", table).at(-1);
    if (first) keepInView(box, first, last);
  }

  let fitted = false;

  const sum = {
    box,
    // A row more; in the end where its lines break. To lay out a long sum is most of what a step may take, so it is done in parts.
    prepare() {
      if (body.children.length < rows.length) body.append(rows[body.children.length].row);
      else if (!fitted) sum.fit();
    },
    finish() {
      while (!fitted) sum.prepare();
    },
    show(now, found) {
      rows.forEach(row => row.show(now, found));
      follow();
    },
    // When it has come onto the page; again when the page's size has changed.
    fit() {
      if (fitted) place(columns, guess);
      fitted = true;
      whenLaidOut(table, () => {
        const change = fit();
        return change && (() => { change(); follow(); });
      });
    },
  };
  return sum;
}
