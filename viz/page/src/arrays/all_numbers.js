// All numbers of an array that the page does not write in full, in a dialog. viz/page/variable_data.py chooses them.

import { button, find, html, keyHelp } from "../dom.js";
import { listen } from "../listening.js";
import { indicesOf, shapeText } from "../numbers.js";

const MOST_CHOICES = 500; // matrices in the list

// A formula that stands for an array becomes a button that opens it.
export function asArray(formula) {
  const words = formula.querySelector("[data-array]");
  return words
    ? html("button", { type: "button", class: "array", "data-array": words.dataset.array, title: "show all numbers" }, formula)
    : formula;
}

/** @param {Run} run */
export function connectAllNumbers(run, player) {
  const dialog = html("dialog", { id: "all-numbers", "aria-labelledby": "all-numbers-title" });
  const nameOf = place => (run.arrays[place].name === undefined ? "array" : run.formula(run.arrays[place].name));

  // Show one of these arrays, and buttons for the others.
  function fill(places, chosen) {
    const array = run.arrays[chosen], { shape, dtype, summary } = array;
    const stage = html("div", { class: "all", tabindex: "0", role: "region", "aria-label": "numbers" });
    const show = place => { fill(places, place); find("[aria-pressed=true]", dialog).focus(); };
    const several = places.map(place =>
      button(() => show(place), { "aria-pressed": place === chosen, "aria-label": run.arrays[place].said }, nameOf(place)));
    dialog.replaceChildren(
      html("h2", { id: "all-numbers-title" }, "all numbers of ", nameOf(chosen)),
      html("p", {}, `shape ${shapeText(shape)}, ${dtype}; ${summary}`),
      html("p", { class: "choices" }, ...(places.length > 1 ? several : []), ...picker(array, stage)), html("p", {}, partOf(array)), stage,
      html("form", { method: "dialog" }, html("button", {}, "close")),
    );
    showMatrix(array, 0, stage);
  }

  // A list of the matrices of an array with more than two axes.
  function picker(array, stage) {
    const { shape, rows, columns, numbers } = array, count = numbers.length / (rows * columns || 1), axes = shape.slice(0, -2);
    if (!axes.length || count < 2) return [];
    const choices = Array.from({ length: Math.min(count, MOST_CHOICES) }, (_, k) =>
      html("option", { value: k }, `[${indicesOf(k, axes).join(", ")}]`),
    );
    const list = html("select", {}, ...choices);
    list.addEventListener("change", () => showMatrix(array, +list.value, stage));
    return [html("label", {}, "matrix ", list)];
  }

  function open(places) {
    if (!places.length) return;
    fill(places, places[0]);
    if (!dialog.isConnected) find("#player").append(dialog);
    dialog.showModal();
  }

  // The arrays of a variable that are not written in full: its value, and its gradient as far as it is known.
  function arraysOf(v) {
    const { totals, valued } = player.state, total = totals.get(v);
    const found = [valued(v) ? run.variables[v].array : undefined, total && run.quantities[total.quantity].array];
    return found.filter(place => place !== undefined);
  }

  function openNearest() {
    const focused = document.activeElement?.closest?.(".node")?.id.split("-").at(-1), { active, current } = player.state;
    const nearest = [focused, active, current, ...run.variables.keys()].filter(v => v !== undefined);
    open(nearest.map(v => arraysOf(+v)).find(places => places.length) ?? []);
  }

  find("#player").addEventListener("click", event => {
    const found = event.target.closest("[data-array]"), node = found?.closest(".node"), place = +found?.dataset.array;
    if (!found) return;
    event.stopPropagation();
    open(node ? [place, ...arraysOf(+node.id.split("-").at(-1)).filter(other => other !== place)] : [place]);
  }, { capture: true });
  listen("keydown", event => {
    if (event.key.toLowerCase() !== "a" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!find("dialog[open]") && !event.target.matches("input")) openNearest();
  });
  find("#keys dl").append(keyHelp(["A"], "all numbers of an array; a click on its picture, or on its shape in a sentence, shows them too"));
}

// What the dialog shows of a large array; "" if that is all.
function partOf({ shape, rows, columns, numbers }) {
  const [high, wide] = shape.length > 1 ? shape.slice(-2) : [1, shape[0]], all = shape.slice(0, -2).reduce((a, b) => a * b, 1);
  const part = (n, of, noun) => (n < of ? [`the first ${n.toLocaleString("en")} of ${of.toLocaleString("en")} ${noun}`] : []);
  const parts = [
    ...part(numbers.length / (rows * columns || 1), all, "matrices"), ...part(rows, high, "rows"), ...part(columns, wide, "columns"),
  ];
  return `${parts.length ? `Shown: ${parts.join(", ")}. ` : ""}Indices start at 0, as in Python.`;
}

function showMatrix({ shape, rows, columns, numbers }, which, stage) {
  const cell = k => String(numbers[which * rows * columns + k]).replace("-", "−"), across = Array.from({ length: columns }, (_, j) => j);
  const head = html("tr", {}, html("td", {}), ...across.map(j => html("th", { scope: "col" }, j)));
  const row = i =>
    html("tr", {},
      shape.length > 1 ? html("th", { scope: "row" }, i) : html("td", {}), ...across.map(j => html("td", {}, cell(i * columns + j))));
  stage.replaceChildren(html("table", {}, html("thead", {}, head), html("tbody", {}, ...Array.from({ length: rows }, (_, i) => row(i)))));
  stage.scrollTo(0, 0);
}
