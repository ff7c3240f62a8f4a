// A question in the teacher's window: on the projector the counts stay hidden while the class votes and talks; in the private window
// they and the misconceptions are always there.

import { bar, percent, sum } from "./bars.js";
import { LETTERS, beside, made, written } from "./dom.js";
import { isPrivate } from "./lead.js";

const TAGS = {
  open: "Vote", closed: "The vote is closed", discuss: "Discuss in pairs: find somebody with another answer", second: "Vote again",
  both: "Both votes", reveal: "What the answers show",
};
const FEW = 30, MANY = 70; // percent of right answers: below the one explain, above the other go on

// Return the parts of the window.
export function asked(state, set) {
  const question = set.questions[state.question], [one, two] = state.counts, told = state.phase === "reveal" || isPrivate;
  const bars = told || state.phase === "both";
  const parts = [head(state, question, told)];
  if (state.votes) parts.push(answered(state, sum(state.counts[state.round - 1])));
  if (question.typed && !bars) { // the choices would say what is right
    const text = state.votes ? "Type a number on your phone." : summary(question, one, two, told);
    return [...parts, made("p", { className: "quiet" }, text)];
  }
  const shown = question.choices.map((_, k) => k).filter(k => !question.typed || (told && k === question.right) || one[k] + two[k]);
  const options = shown.map(k => option(question, k, one, two, bars, told, state.typed[k]));
  parts.push(made("div", { className: told ? "options told" : "options" }, ...options));
  if (!state.votes) parts.push(made("p", { className: "quiet" }, summary(question, one, two, told)));
  if (isPrivate && sum(one) && state.phase !== "reveal") parts.push(made("p", { className: "box" }, advice(question, one, two)));
  return parts;
}

function head(state, question, told) {
  const tag = made("p", { className: "tag" }, state.paused ? "Paused" : TAGS[state.phase]);
  return made("div", { className: told ? "asked told" : "asked" }, made("div", {}, tag, written("h2", question.asked)), beside(question));
}

function answered(state, n) {
  const of = state.here + state.hands; // who raises a hand has no phone here
  const progress = made("progress", { max: Math.max(1, of), value: n, ariaLabel: "answered" });
  return made("p", { className: "answered" }, made("b", {}, `${n}`), made("span", {}, ` of ${of} answered `), progress);
}

function option(question, k, one, two, bars, told, typed) {
  const choice = question.choices[k], right = k === question.right, both = sum(two) > 0;
  const row = made("div", { className: told && right ? "option right" : "option" });
  row.append(made("b", { className: "letter" }, question.typed ? "" : LETTERS[k]), written("span", choice.text));
  if (question.typed && k === question.choices.length - 1 && typed.length) row.children[1].append(`: ${typed.join(", ")}`);
  if (bars) row.append(made("div", { className: "bars" }, bar(one[k], sum(one), both), both ? bar(two[k], sum(two)) : null));
  if (told) row.append(reason(choice, right));
  return row;
}

// Return what an answer shows: the misconception, and the reply of the book.
function reason(choice, right) {
  const believed = choice.believes ? `${choice.believes[0].toUpperCase()}${choice.believes.slice(1)} [${choice.id}]` : "";
  return made("p", { className: "why" }, made("b", {}, right ? "✓ right" : believed), " ", written("span", choice.reply));
}

const percentRight = (question, counts) => (100 * counts[question.right]) / sum(counts);

function summary(question, one, two, told) {
  const [before, after] = [one, two].map(counts => percent(counts[question.right], sum(counts)));
  const votes = sum(one) === 1 ? "1 vote" : `${sum(one)} votes`;
  if (!sum(two)) return told && sum(one) ? `${votes}, ${before} right` : votes;
  return `${sum(one)} and ${sum(two)} votes${told ? `, right: ${before} before and ${after} after the discussion` : ""}`;
}

// Return what to do now. After the second vote no third one follows.
function advice(question, one, two) {
  const again = sum(two) > 0, right = percentRight(question, again ? two : one);
  if (right < FEW) return `Fewer than 30 % are right: ${again ? "show the answer and explain it." : "explain once more, then vote again."}`;
  if (right > MANY) return "More than 70 % are right: show the answer, explain in a sentence, go on.";
  return `30 to 70 % are right: ${again ? "show the answer. Let somebody explain it." : "discuss in pairs, then vote again."}`;
}
