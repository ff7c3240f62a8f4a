// Smaller and smaller nudges: the ratio of rise to nudge goes to the derivative. While the page asks, hints stand here.

import { html, table } from "../dom.js";
import { fewer } from "../fitting.js";
import { listen } from "../listening.js";
import { tidy } from "../nudging/nudging.js";
import { digits, inNumbers, wordsOf } from "../say.js";
import { hintsOf } from "./question_form.js";

const SHRINKING = [1, 0.1, 0.01, 0.001]; // of the span
const MOST_ROWS = 5, DIGITS = [6, 5, 4]; // of the table; of its numbers, where there is room for them

/** @param {Run} shown */
export function ratiosPanel(root, shown) {
  const run = inNumbers(shown);
  const { name, z } = wordsOf(run);
  let hinted = null, last = null;

  function rows({ place, k, h }, most, count) {
    const sign = h < 0 ? -1 : 1, sizes = SHRINKING.map(size => tidy(size * place.span(k) * sign));
    const all = h && !sizes.includes(h) ? [...sizes, h].sort((a, b) => Math.abs(b) - Math.abs(a)) : sizes;
    const heard = all.filter(size => size === h || size === sizes[0] || place.isHeard(k, size)), others = heard.filter(size => size !== h);
    const left = new Set([h, ...others.slice(Math.max(0, others.length + 1 - most))]);
    return heard.filter(size => left.has(size)).map(size => {
      const rise = place.rise(k, size);
      return html("tr", { class: size === h ? "now" : null },
        ...[size, rise, rise / size].map(number => html("td", {}, digits(number, count))));
    });
  }

  function limit({ place, k, h }) {
    const { kind } = place.behaviour(k), slope = place.slopeTowards(k, h);
    const side = kind === "kink" ? (h < 0 ? ", from the left" : ", from the right") : "";
    const found =
      kind === "smooth"
        ? [run.formula(run.variables[run.live.inputs[k]].total), " = ", digits(slope)]
        : kind === "kink"
          ? ["slope ", digits(slope)]
          : ["not one number"];
    return html("tr", { class: "limit" }, html("td", {}, `towards 0${side}`), html("td", { colspan: 2 }, ...found));
  }

  // The last line, the limit, is always whole, and so is each number.
  function paint() {
    const { k, note } = last;
    const fill = (most, count) => root.replaceChildren(html("h2", {}, "Smaller and smaller nudges of ", name(run.live.inputs[k])),
      table(["nudge", ["rise of ", z()], "rise ÷ nudge"], [...rows(last, most, count), limit(last)]), note);
    const count = DIGITS.find(number => (fill(MOST_ROWS, number), root.scrollWidth <= root.clientWidth + 1)) ?? DIGITS.at(-1);
    fewer(root, MOST_ROWS, 2, most => fill(most, count));
  }
  listen("resize", () => last && paint());

  return {
    show({ ratios }) {
      last = null;
      root.hidden = !ratios;
      if (!ratios) return;
      const { question } = ratios;
      if (question) {
        if (hinted !== question.k)
          root.replaceChildren(html("h2", {}, "Do you need a hint?"), ...hintsOf(question));
        hinted = question.k;
        return;
      }
      hinted = null;
      last = { ...ratios, note: html("p", { class: "note" }, ratios.note) };
      paint();
    },
  };
}
