// The reader predicts: a cell after a question shows its result then, and an exercise runs its check then.

import { all, find } from "../../../viz/page/src/dom.js";
import { cover, uncover } from "./cover.js";
import { kept } from "./kept.js";
import { isRight, numberIn } from "./predicted_number.js";
import { QUESTIONS, tellDone } from "./tasks.js";

export function beginPredictions() {
  cover(all(QUESTIONS).map(beginQuestion).filter(Boolean));
  all("form.predict.number").forEach(beginNumber);
}

// Return the cell whose result a question asks for.
export function cellAfter(form) {
  let cell = form.nextElementSibling;
  while (cell && !cell.classList.contains("cell")) cell = cell.nextElementSibling;
  return cell;
}

// Return the question for the cover, or null if the reader has answered it, or has asked for what follows, in an earlier visit.
function beginQuestion(form, number) {
  const key = `${location.pathname.split("/").pop()}#${number}`, cell = cellAfter(form), button = find("button", form);
  form.classList.add("scripted");
  cell?.classList.add("locked");
  const answer = choice => {
    for (const reply of all(".reply", form)) {
      reply.open = reply.dataset.choice === choice;
      reply.classList.add(reply.dataset.choice === form.dataset.right ? "right" : "wrong");
    }
    cell?.classList.remove("locked");
    uncover(form);
    kept.write(key, choice);
    tellDone("predict", number);
  };
  form.addEventListener("change", () => (button.disabled = false));
  form.addEventListener("submit", event => {
    event.preventDefault();
    answer(form.elements.choice.value);
  });
  const before = kept.read()[key];
  const showAnyway = () => {
    cell?.classList.remove("locked");
    kept.write(`${key} shown`, true);
  };
  if (before) {
    form.elements.choice.value = before;
    answer(before);
  } else if (kept.read()[`${key} shown`]) {
    showAnyway();
  } else {
    return { form, cell, showAnyway };
  }
  return null;
}

// An exercise asks for a number. A wrong one may be followed by another; after the first one the check runs.
function beginNumber(form) {
  const key = `exercise-${form.dataset.exercise}`, field = form.elements.number, button = find("button", form);
  form.classList.add("scripted");
  const answer = text => {
    const choice = isRight(numberIn(text), Number(form.dataset.number)) ? "right" : "wrong";
    for (const reply of all(".reply", form)) {
      reply.open = reply.dataset.choice === choice;
      reply.classList.add(reply.dataset.choice);
    }
    form.dataset.predicted = choice;
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
