// How a nudge reaches z: a row for each path, and their sum. Or the question, asked before it is shown.

import { find, html } from "../dom.js";
import { fewer } from "../fitting.js";
import { listen } from "../listening.js";
import { isNoise } from "../nudging/nudging.js";
import { bracketed, digits, happened, inNumbers, inWords, predicted, wordsOf } from "../say.js";
import { questionForm } from "./question_form.js";

const LONGEST_ROW = 42, LONGEST_PATH = 4; // letters; in a narrow panel a longer row takes two lines. Variables of a path

/** @param {Run} shown */
export function pathsPanel(root, shown) {
  const run = inNumbers(shown);
  const { name } = wordsOf(run);
  let asked = null, last = null;

  // x₁ → y₁ → z; a long path shows where it leaves the others.
  function chain(v, path, paths) {
    const visited = edges => [v, ...edges.map(e => run.edges[e].output)], all = visited(path), end = all.length - 1;
    const leaves = Math.max(1, ...paths.filter(other => other !== path).map(other => all.findIndex((x, k) => x !== visited(other)[k])));
    const isShown = k => all.length <= LONGEST_PATH || [0, leaves, end].includes(k);
    const fits = k => isShown(k) || (isShown(k - 1) && isShown(k + 1));
    return all.flatMap((x, k) => (fits(k) ? [k ? " → " : "", name(x)] : fits(k - 1) ? [" → …"] : []));
  }

  function factors(place, path) {
    const few = path.length <= 4 ? path.map(e => place.partials[e]) : [path.reduce((product, e) => product * place.partials[e], 1)];
    return few.flatMap(factor => [" × ", predicted(bracketed(factor, 4))]);
  }

  function row(className, [path, product, effect, note]) {
    const cells = [path, product, effect].map(cell => html("td", {}, ...[cell].flat()));
    const letters = cells.reduce((sum, { textContent }) => sum + textContent.length, 0);
    return html("tr", { class: `${className}${letters > LONGEST_ROW ? " long" : ""}` },
      ...cells, html("td", {}, html("span", { class: "note" }, note)));
  }

  // The table with `most` paths; those that have no room are among the others.
  function table({ place, v, h, paths: all, path: only, count, idle, slope }, most) {
    const kept = [...(only ? [only] : []), ...all.filter(path => path !== only)].slice(0, most);
    const paths = all.filter(path => kept.includes(path));
    const nudge = digits(h), gives = number => ["= ", happened(digits(number, 5))];
    const effect = path => path.reduce((amount, e) => amount * place.partials[e], h), rest = count - idle - paths.length;
    const faint = only ? "faint" : "", several = number => `path${number === 1 ? "" : "s"}`;
    const effects = paths.map(effect), left = slope * h - effects.reduce((a, b) => a + b, 0), seen = [slope * h, ...effects];
    const told = paths.filter(path => path === only || !isNoise(effect(path), seen));
    const rows = told.map(path => row(only && path.join() !== only.join() ? "faint" : "",
      [chain(v, path, all), [nudge, ...factors(place, path)], gives(effect(path)), noteOn(path)]));
    if (rest > 0 && !isNoise(left, seen))
      rows.push(row(faint, [`${inWords(rest)} more ${several(rest)}`, "", gives(left), "along each of them, factors multiply"]));
    if (idle) {
      const note = `nothing arrives along ${idle === 1 ? "it" : "them"}`;
      rows.push(row(faint, [`${inWords(idle)} ${several(idle)} with a factor 0`, "", gives(0), note]));
    }
    const isKink = v !== run.z && place.behaviour(run.live.inputs.indexOf(v)).kind === "kink";
    const add = count > 1 ? "over several paths, effects add" : "there is only one path";
    const product = [nudge, " × ", html("b", { class: "slope" }, bracketed(slope))];
    rows.push(row(`sum${only ? " faint" : ""}`, ["together", product, gives(slope * h), isKink ? "what the rule takes at the kink" : add]));
    return html("table", {}, html("tbody", {}, ...rows));
  }

  function noteOn(path) {
    if (path.length > 1) return `along a path, factors multiply${path.length > 4 ? ` (${path.length} here)` : ""}`;
    return path.length ? "one arrow, one factor" : `this is the ${run.noun} itself`;
  }

  // The last line, what all paths give together, is always whole.
  function paint() {
    fewer(root, last.paths.length, Math.min(1, last.paths.length), most =>
      root.replaceChildren(html("h2", {}, "How the nudge reaches ", name(run.z)), table(last, most)));
  }
  listen("resize", () => last && paint());

  return {
    show({ paths, question }) {
      root.hidden = !paths && !question;
      if (question) {
        if (asked?.k !== question.k || !find("form", root)) root.replaceChildren(questionForm(question, said => asked.show(said)));
        asked = question;
      } else if (paths) {
        asked = null;
        last = paths;
        paint();
      }
      if (!paths) last = null;
    },
  };
}
