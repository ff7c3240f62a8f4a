// The teacher's window during a test: how far the students are, and nothing of what they answer.

import { made } from "./dom.js";
import { bar, sum } from "./bars.js";

const QUARTERS = 4;

// Return the parts of the window.
export function testing({ phase, progress, here }, set) {
  const all = set.count, done = progress[all];
  const { host } = new URL(set.address);
  const ended = phase === "end", students = here === 1 ? "student has" : "students have";
  const tag = ended ? "The test has ended" : "A test: each student at their own pace";
  return [made("p", { className: "tag" }, tag), made("h2", {}, set.title),
    made("p", { className: "answered" }, made("b", {}, `${done}`), ` of ${here} ${students} answered all ${all} questions`),
    made("div", { className: "options", id: "progress" }, ...parts(all).map(([from, to]) => row(from, to, progress, here))),
    made("p", { className: "quiet" }, ended ? "`teach report` makes a page of the journal. With the journals of both forms it "
      + "compares before and after." : `Late? Open ${host} and enter ${set.code}. No window shows what anybody answers, and students may `
      + "change their answers until you end the test.")];
}

// Return the ranges of how many are answered: none, four parts, all.
function parts(all) {
  const ends = [...Array(QUARTERS + 1).keys()].map(k => Math.round((k * (all - 1)) / QUARTERS));
  return [[0, 0], ...ends.slice(1).map((end, k) => [ends[k] + 1, end]), [all, all]];
}

function row(from, to, progress, here) {
  const text = from === to ? `${from} answered` : `${from} to ${to}`;
  return made("div", { className: "option" }, made("span", {}, text), bar(sum(progress.slice(from, to + 1)), here));
}
