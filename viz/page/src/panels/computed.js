// The dictionary of total derivatives.

import { find, html } from "../dom.js";
import { keepInView, settle } from "../places.js";

const PARTS = Array.from({ length: 21 }, (_, k) => k / 20); // of a row, at which the browser tells how much of it is seen
const ROUNDED = 4; // pixels of a row without text
const LONG = 200; // rows of a list of which the browser lays out only what is seen

/** @param {Run} run */
export function computedPanel(root, run) {
  const box = find("#computed", root);
  const rows = new Map();
  const [heading, note] = find("#computed-title", root).children;
  const whole = new IntersectionObserver(hideCut, { root: box, threshold: PARTS });
  let looked = null; // the row that stays in view, also if the panel beside it gets narrower
  new ResizeObserver(() => {
    if (looked) keepInView(box, looked);
    settle();
  }).observe(box);
  const order = [...new Set(run.insertions.map(({ variable }) => variable))];

  function row(v) {
    if (rows.has(v)) return rows.get(v);
    const parts = {
      key: html("span", { class: "key" }), formula: html("span", { class: "formula" }), number: html("span", { class: "value" }),
      flag: html("span", { class: "flag" }),
    };
    const made = { ...parts, item: html("li", { "data-variable": v }, ...Object.values(parts)) };
    rows.set(v, made);
    whole.observe(made.item);
    return made;
  }

  return {
    show(frame) {
      heading.textContent = run.table?.title ?? (run.scatters ? "total" : "computed");
      note.textContent =
        run.table?.note ?? (run.scatters ? "total derivatives, accumulated term by term" : "total derivatives, one more per iteration");
      const known = order.filter(v => frame.totals.get(v) && !frame.totals.get(v).running);
      const items = known.map(v => {
        const found = row(v), { item } = found, sum = frame.totals.get(v);
        const stands = `${sum.quantity} ${sum.final}`;
        item.classList.toggle("plain", run.quantities[sum.quantity].symbol === null);
        if (item.dataset.stands !== stands) fill(found, v, sum);
        item.dataset.stands = stands;
        item.classList.toggle("get", v === frame.got);
        item.classList.toggle("new", v === frame.put);
        found.flag.textContent = v === frame.got ? "← get" : v === frame.put ? "+ new" : "";
        return item;
      });
      arrange(box, items);
      const at = [frame.got, frame.put].map(v => known.indexOf(v)).find(k => k >= 0) ?? items.length - 1;
      box.classList.toggle("long", items.length > LONG);
      looked = items[at];
      if (looked) keepInView(box, looked);
    },
  };

  function fill({ key, formula, number }, v, sum) {
    const { symbol, mathml } = run.quantities[sum.quantity];
    key.replaceChildren(run.formula(run.variables[v].total));
    formula.replaceChildren(...(symbol === null ? [] : [run.formula(symbol)]));
    const is = symbol === null ? [] : [html("span", { class: "equals" }, "= ")];
    number.replaceChildren(...is, run.formula(mathml), ...(sum.final ? [] : [" …"]));
  }
}

// Hide rows of which the box shows only a part. A row that is higher than the box stays while it has most of the box.
function hideCut(seen) {
  for (const { target, intersectionRect: { height: part }, boundingClientRect: { height: whole }, rootBounds: { height: room } } of seen)
    target.classList.toggle("cut", part > 0 && part < whole - ROUNDED && (whole <= room || part < room / 2));
}

// Put these items into a box. Items that are in their place already are not touched.
function arrange(box, items) {
  let same = 0;
  while (same < items.length && box.children[same] === items[same]) same++;
  while (box.children.length > same) box.lastChild.remove();
  box.append(...items.slice(same));
}
