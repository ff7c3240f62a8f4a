// The derivatives checked by nudges; then z step after step.

import { html, table } from "../dom.js";
import { checks } from "../nudging/descent.js";
import { digits, inNumbers, inWords, signed, wordsOf } from "../say.js";

const MOST_STEPS = 4, MOST_CHECKED = 11; // steps of the past, and inputs, that the table shows

/** @param {Run} shown */
export function checksPanel(root, shown) {
  const run = inNumbers(shown);
  const { z, total } = wordsOf(run);
  const row = (className, cells) => html("tr", { class: className }, ...cells.map(cell => html("td", {}, ...[cell].flat())));

  function checked({ view, descent }) {
    const found = checks(descent.place).map((check, k) => ({ ...check, k })), sizes = new Set(found.map(({ h }) => h));
    const asked = view === "answers";
    const few = found.length < MOST_CHECKED + 2, agrees = check => (check.kind === "smooth" ? 1 : 0);
    const first = few || asked ? found : found.toSorted((a, b) => agrees(a) - agrees(b));
    const most = few ? found.length : MOST_CHECKED;
    const rows = first.slice(0, most).map(({ k, ratio, slope, kind, verdict }) =>
      row(null, [
        total(run.live.inputs[k]), asked ? "?" : digits(ratio), html("span", { class: "slope" }, digits(slope)),
        html("span", { class: kind === "smooth" ? "ok" : "odd" }, asked ? "" : verdict),
      ]));
    return [
      html("h2", {}, "The nudge check"),
      table(
        [run.noun, sizes.size === 1 ? `rise ÷ ${digits(found[0].h)}` : "rise ÷ nudge", "chain rule", ""],
        [...rows, ...others(first.slice(most), asked)],
      ),
    ];
  }

  // The row that stands for the inputs that are not shown.
  function others(rest, asked) {
    const agree = rest.filter(({ kind }) => kind === "smooth").length;
    const said = asked ? "" : html("span", { class: "ok" }, `✓ ${agree === rest.length ? "all" : inWords(agree)} agree`);
    return rest.length ? [row("others", [`${inWords(rest.length)} more`, "", "", said])] : [];
  }

  function past({ descent, rate }) {
    const { places } = descent, first = Math.max(0, places.length - MOST_STEPS), next = descent.zAfter(rate);
    const rows = places.slice(first).map((place, k) =>
      row(null, [
        first + k ? `after step ${first + k}` : "start", digits(place.z, 4), first + k ? signed(place.z - places[first + k - 1].z) : "",
      ]));
    rows.push(
      row("now", [`step ${places.length}, if you take it`, rate ? digits(next, 4) : "?", rate ? signed(next - descent.place.z) : ""]),
    );
    return [html("h2", {}, "Step after step"), table(["", z(), "change"], rows)];
  }

  return {
    show(frame) {
      root.hidden = !frame.checks;
      if (root.hidden) return;
      const { view, note, walk } = frame.checks;
      root.classList.toggle("past", view === "moves" || view === "end");
      root.replaceChildren(
        ...(view === "answers" || view === "check" ? checked(frame.checks) : past(frame.checks)), html("p", { class: "note" }, note), walk,
      );
    },
  };
}
