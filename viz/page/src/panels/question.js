// The panel below the sentence of act 1: the question in a picture; the function, its numbers and its value; the guess.

import { MORE } from "../acts/question.js";
import { finiteNumber } from "../answers.js";
import { equals, find, html } from "../dom.js";
import { fewer } from "../fitting.js";
import { listen } from "../listening.js";
import { shapeText, written } from "../numbers.js";
import { whenLaidOut } from "../places.js";
import { counted } from "./equation.js";

const SIZES = [1, 0.94, 0.88, 0.82]; // of formulas and of names

/** @param {Run} run */
export function questionPanel(root, run, player) {
  const name = v => run.formula(run.variables[v].written);
  const chip = (text, small) => html("span", { class: "chip" }, html("span", {}, ...text), html("small", {}, small));
  const arrow = () => html("span", { class: "to", "aria-hidden": "true" }, "→");

  function opening() {
    const x = run.asked, tensor = run.variables[x].shape.length > 0;
    if (x === run.z) return [];
    return [
      html("div", { class: "chips" },
        chip([...(tensor ? ["one entry of "] : []), name(x), " grows"], "a little"), arrow(),
        chip([name(run.z), " grows"], "5 times as much?")),
      html("p", { class: "note" }, "If so, the derivative is 5."),
    ];
  }

  const MOST_CHIPS = 8, MOST_LARGE = 6;
  function inputs(most = MOST_CHIPS) {
    const shown = run.inputs.slice(0, most), more = run.inputs.length - shown.length;
    const value = v =>
      run.variables[v].shape.length
        ? [name(v), ` ${shapeText(run.variables[v].shape)}`]
        : [name(v), equals(), run.formula(run.variables[v].mathml)];
    return [
      html("div", { class: shown.length > MOST_LARGE ? "chips many" : "chips" },
        ...shown.map(v => html("span", { class: "chip" }, html("span", {}, ...value(v)))),
        ...(more > 0 ? [html("span", { class: "note" }, `… ${more} more`)] : [])),
    ];
  }

  function work({ variable, numbers }) {
    const { formula, mathml, equation } = run.variables[variable];
    const line = (label, left, place, kind) =>
      html("tr", { class: kind },
        html("th", { scope: "row" }, label), html("td", { class: "left" }, ...left), html("td", { class: "sign" }, "="),
        html("td", {}, html("span", { class: kind === "numbers" ? "result" : "term" }, run.lines(place))));
    const rows = [
      line("function", [name(variable)], formula, "chain"),
      ...(run.tensors || MORE.test(equation) ? [] : [line("numbers", [], numbers, "symbols")]),
      line("value", [], mathml, "numbers"),
    ];
    return [html("div", { class: "rows" }, html("table", { class: "function" }, html("tbody", {}, ...rows)))];
  }

  // Of inputs with long names there are fewer, so that none is cut off. A formula or an array that is wider than the panel is a little
  // smaller, then it takes the place of the words beside the rows.
  function shrink() {
    const asked = find(".chips:has(.to)", root);
    for (const size of asked ? SIZES : []) {
      asked.style.setProperty("--names", size);
      if ([...asked.children].every(one => one.scrollWidth <= one.clientWidth)) break;
    }
    if (find(".chip:not(:has(small))", root)) fewer(root, MOST_CHIPS, 1, most => root.replaceChildren(...inputs(most)));
    const rows = find(".rows", root);
    for (const wide of rows ? [false, true] : [])
      for (const size of SIZES) {
        rows.classList.toggle("wide", wide);
        rows.style.setProperty("--formulas", size);
        if (rows.scrollWidth <= rows.clientWidth) return;
      }
  }
  listen("resize", shrink);

  const MOST_VALUES = 24;
  function values({ computes }) {
    const shown = computes.slice(0, Math.min(MOST_VALUES, 4 * run.mostTerms)), more = computes.length - shown.length;
    const item = ({ variable }) =>
      html("span", { class: "item" },
        name(variable),
        ...(run.variables[variable].shape.length
          ? [` ${shapeText(run.variables[variable].shape)}`]
          : [equals(), run.variables[variable].text]));
    return [
      html("div", { class: "values" }, ...shown.map(item), ...(more > 0 ? [`… ${counted(more, "more value").replace(/s$/, "s")}`] : [])),
      html("p", { class: "note" }, "The keys ↓ and ↑ go through them one by one."),
    ];
  }

  function guess() {
    const input = html("input", { id: "guess", inputmode: "decimal", autocomplete: "off", spellcheck: "false" }), said = html("output");
    const form = html("form", { class: "guess" },
      html("label", { for: "guess" }, "I guess ", name(run.z), " = "), input, html("button", { type: "submit" }, "keep it"), said);
    form.addEventListener("submit", event => {
      event.preventDefault();
      try {
        player.guess = finiteNumber(input.value);
        input.blur();
        player.next();
      } catch (error) {
        said.textContent = error.message;
      }
    });
    if (player.guess !== undefined) input.value = written(player.guess);
    return [form, html("p", { class: "note" }, "A guess costs nothing. You may also go on without one.")];
  }

  return {
    show(frame) {
      const { part, computed } = frame;
      root.replaceChildren(
        ...(frame.first ? opening() : frame.guess ? guess() : computed ? work(computed) : part.computes.length ? values(part) : inputs()),
      );
      whenLaidOut(root, () => shrink);
    },
  };
}
