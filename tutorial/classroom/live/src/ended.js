// The end of a class: what it believed, before and after it discussed.

import { command, made, written } from "./dom.js";
import { percent, sum } from "./bars.js";

const MOST = 3; // misconceptions of a question that are named

export function ended(state, set) {
  const rows = state.report.map(({ question, counts }) => row(set.questions[question], counts));
  const heads = ["Question", "Votes", "Right before", "Right after", "What was believed: before → after"];
  return [made("p", { className: "tag" }, `Students: ${state.here}, questions: ${rows.length}`),
    made("table", {}, made("thead", {}, made("tr", {}, ...heads.map(head))), made("tbody", {}, ...rows)),
    made("p", { className: "quiet" }, "All of it stays on this computer. Make a page of it: ", made("code", {}, command("report", set)))];
}

// Return [{choice, before, after}]: the misconceptions that were met, each once, the commonest first.
function wrong({ choices, right }, one, two) {
  const found = new Map();
  for (const [k, choice] of choices.entries()) {
    const key = choice.id || choice.text, { before, after } = found.get(key) ?? { before: 0, after: 0 };
    if (k !== right && one[k] + two[k]) found.set(key, { choice, before: before + one[k], after: after + two[k] });
  }
  return [...found.values()].sort((a, b) => b.before - a.before);
}

const head = text => made("th", { scope: "col" }, text);

function row(question, [one, two]) {
  const believed = made("td"), both = sum(two) > 0;
  for (const { choice, before, after } of wrong(question, one, two).slice(0, MOST))
    believed.append(made("div", {}, choice.id ? made("b", {}, `${choice.id} `) : null,
      choice.believes ? `${choice.believes}: ` : written("span", `${choice.text}: `), both ? `${before} → ${after}` : `${before}`));
  return made("tr", {}, written("td", question.asked), made("td", {}, both ? `${sum(one)}, ${sum(two)}` : `${sum(one)}`),
    made("td", {}, percent(one[question.right], sum(one))), made("td", {}, both ? percent(two[question.right], sum(two)) : "–"), believed);
}
