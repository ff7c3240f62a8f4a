// The end of a class: what it believed, before and after it discussed.

import { made, written } from "./dom.js";
import { percent, sum } from "./bars.js";

const MOST = 3; // misconceptions of a question that are named

export function ended(state, set) {
  const rows = state.report.map(({ question, counts }) => row(set.questions[question], counts));
  const heads = ["Question", "Votes", "Right before", "Right after", "What was believed: before → after"];
  return [made("p", { className: "tag" }, `${state.here} students, ${rows.length} questions`),
    made("table", {}, made("thead", {}, made("tr", {}, ...heads.map(head))), made("tbody", {}, ...rows)),
    made("p", { className: "quiet" }, "All of it stays on this computer. `teach report` makes a page of the journal.")];
}

const head = text => made("th", { scope: "col" }, text);

function row(question, [one, two]) {
  const believed = made("td"), both = sum(two) > 0;
  const wrong = question.choices.map((choice, k) => ({ choice, k })).filter(({ k }) => k !== question.right && one[k] + two[k] > 0);
  for (const { choice, k } of wrong.sort((a, b) => one[b.k] - one[a.k]).slice(0, MOST))
    believed.append(made("div", {}, choice.id ? made("b", {}, `${choice.id} `) : null,
      choice.believes ? `${choice.believes}: ` : written("span", `${choice.text}: `), both ? `${one[k]} → ${two[k]}` : `${one[k]}`));
  return made("tr", {}, written("td", question.asked), made("td", {}, both ? `${sum(one)}, ${sum(two)}` : `${sum(one)}`),
    made("td", {}, percent(one[question.right], sum(one))), made("td", {}, both ? percent(two[question.right], sum(two)) : "–"), believed);
}
