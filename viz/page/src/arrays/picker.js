// Choose the entry of an input: a button for each input, and a grid of its entries. In the grid the arrow keys move;
// in the graph, a click chooses.

import { button, html } from "../dom.js";
import { digits } from "../say.js";

/** @param {Run} arrays @param {Run} run */
export function entryPicker(arrays, run, choose) {
  const { places } = arrays.entryGraph, number = new Map(run.live.inputs.map((v, k) => [v, k]));
  const grid = html("div", { class: "picker", role: "group" });
  const inputs = arrays.inputs.filter(v => places[v].flat().some(place => number.has(place)));
  const last = new Map(); // the entry of each input that was chosen last
  const first = v => last.get(v) ?? places[v].flat().find(place => number.has(place));
  const chooseIn = v => choose(number.get(first(v)));
  const tabs = inputs.map((v, k) =>
    button(() => chooseIn(v), { title: k < 9 ? `key ${k + 1}` : null }, arrays.formula(arrays.variables[v].written)));
  const choice = [html("span", {}, "nudge an entry of"), ...tabs];
  let open = null, cells = []; // the input whose entries the grid shows, and its buttons row by row

  function fill(v) {
    open = v;
    cells = places[v].map((row, i) => row.map((place, j) => {
      const without = number.has(place) ? {} : { disabled: "", title: `${run.variables[run.z].name} does not depend on it` };
      const cell = button(() => choose(number.get(place)), without);
      cell.addEventListener("keydown", event => walk(event, i, j));
      return cell;
    }));
    grid.style.setProperty("--rows", cells.length);
    grid.classList.toggle("wide", cells[0].length > 4); // then only the inputs have room beside it
    grid.replaceChildren(...cells.map(row => html("div", {}, ...row)));
    grid.setAttribute("aria-label", `entries of ${arrays.variables[v].name}`);
  }

  // Go to the next entry in the direction of an arrow key, over those that z does not depend on.
  function walk(event, i, j) {
    const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key] ?? [];
    if (down === undefined || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation(); // the arrow keys of the page do not act here
    do [i, j] = [i + down, j + right];
    while (cells[i]?.[j]?.disabled);
    if (!cells[i]?.[j]) return;
    choose(number.get(places[open][i][j]));
    cells[i][j].focus();
  }

  return {
    grid,
    // Show which entry is chosen, and the numbers of its array.
    row(k, now) {
      const chosen = run.live.inputs[k], v = run.owner(chosen);
      last.set(v, chosen);
      if (open !== v) fill(v);
      tabs.forEach((tab, at) => tab.setAttribute("aria-pressed", inputs[at] === v));
      places[v].forEach((row, i) => row.forEach((place, j) => {
        const cell = cells[i][j], text = place === null ? arrays.variables[v].cells?.[i]?.[j] ?? "" : digits(now[place], 4);
        cell.textContent = text;
        cell.setAttribute("aria-label", `${place === null ? "" : run.variables[place].name} ${text}`);
        cell.setAttribute("aria-pressed", place === chosen);
        cell.tabIndex = place === chosen ? 0 : -1;
      }));
      return choice;
    },
    keys: Object.fromEntries(inputs.slice(0, 9).map((v, k) => [k + 1, () => chooseIn(v)])),
    pick(v, event) {
      if (!inputs.includes(v)) return;
      const table = event?.target.closest(".entries"), at = table ? Math.floor([...table.children].indexOf(event.target) / 2) : -1;
      const place = places[v].flat()[at];
      if (number.has(place)) choose(number.get(place));
      else chooseIn(v);
    },
  };
}
