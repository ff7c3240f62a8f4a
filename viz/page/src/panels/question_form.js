// The field for the answer to a question of act 2, with its verdict; and the hints.

import { button, html } from "../dom.js";

// `show(verdict)` shows what the question asks for, also without a right answer.
export function questionForm(question, show) {
  const input = html("input", { inputmode: "decimal", autocomplete: "off", spellcheck: "false", id: "expected" });
  const verdict = html("output", {}), tell = button(() => show(), {}, "show me");
  const made = html("form", { class: "asked" },
    html("label", {}, question.label.cloneNode(true), " ", input), html("button", {}, "check"), question.said ? "" : tell, verdict);
  if (question.said) Object.assign(verdict, { className: "right" }).append(question.said.cloneNode(true));
  made.addEventListener("submit", event => {
    event.preventDefault();
    try {
      const { right, text } = question.judge(input.value);
      verdict.className = right ? "right" : "wrong";
      verdict.replaceChildren(text.cloneNode(true));
      if (right) show(text);
    } catch (error) {
      verdict.className = "wrong";
      verdict.textContent = error.message;
    }
  });
  return made;
}

export const hintsOf = ({ hints }) => hints.map((hint, j) =>
  html("details", { class: "hint" }, html("summary", {}, `${["First", "Second", "Third"][j]} hint`), html("p", {}, hint.cloneNode(true))));
