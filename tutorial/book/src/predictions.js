// The reader predicts: a cell after a question shows its result then, and an exercise runs its check then.

import { all, find } from "../../../viz/page/src/dom.js";
import { cover, uncover } from "./cover.js";
import { kept } from "./kept.js";
import { isRight, numberIn } from "./predicted_number.js";
import { QUESTIONS, tellDone } from "./tasks.js";

export function beginPredictions() {
  cover(all(QUESTIONS).map(beginQuestion).filter(Boolean));
  all("form.predict.number").forEach(beginNumber);
  all("form.recall").forEach((form, number) => beginChoice(form, `${keyOf("recall")}${number}`));
}

const keyOf = kind => `${location.pathname.split("/").pop()}#${kind}`;

// Return the cell whose result a question asks for.
export function cellAfter(form) {
  let cell = form.nextElementSibling;
  while (cell && !cell.classList.contains("cell")) cell = cell.nextElementSibling;
  return cell;
}

// Return the question for the cover, or null if the reader has answered it, or has asked for what follows, in an earlier visit.
function beginQuestion(form, number) {
  const key = `${keyOf("")}${number}`, cell = cellAfter(form);
  cell?.classList.add("locked");
  const isAnswered = beginChoice(form, key, () => {
    cell?.classList.remove("locked");
    uncover(form);
    tellDone("predict", number);
  });
  if (isAnswered) return null;
  const showAnyway = () => {
    cell?.classList.remove("locked");
    kept.write(`${key} shown`, true);
  };
  if (!kept.read()[`${key} shown`]) return { form, cell, showAnyway };
  showAnyway();
  return null;
}

// Let the reader choose, and show the reply. Return whether there is an answer of an earlier visit. `then` is called after each.
function beginChoice(form, key, then = () => {}) {
  const button = find("button", form);
  form.classList.add("scripted");
  const answer = choice => {
    for (const reply of all(".reply", form)) {
      reply.open = reply.dataset.choice === choice;
      reply.classList.add(reply.dataset.choice === form.dataset.right ? "right" : "wrong");
    }
    kept.write(key, choice);
    then();
  };
  form.addEventListener("change", () => (button.disabled = false));
  form.addEventListener("submit", event => {
    event.preventDefault();
    answer(form.elements.choice.value);
  });
  const before = kept.read()[key];
  if (before) {
    form.elements.choice.value = before;
    answer(before);
  }
  return Boolean(before);
}

// An exercise asks for a number. A wrong one may be followed by another; after the first one the check runs.
function beginNumber(form) {
  const key = `exercise-${form.dataset.exercise}`, field = form.elements.number, button = find("button", form);
  form.classList.add("scripted");
  const answer = text => {
    const number = numberIn(text), replies = all(".reply", form); // to the right number, to known wrong ones, to any other
    const k = replies.findIndex(reply => isRight(number, Number(reply.dataset.choice)));
    for (const reply of replies) reply.open = reply === replies.at(k);
    form.dataset.predicted = k ? "wrong" : "right";
    kept.write(key, text);
  };
  field.addEventListener("input", () => (button.disabled = Number.isNaN(numberIn(field.value))));
  form.addEventListener("submit", event => {
    event.preventDefault();
    if (!button.disabled) answer(field.value);
  });
  const before = kept.read()[key];
  if (before) {
    field.value = before;
    answer(before);
  }
}
