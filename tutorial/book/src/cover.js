// No spoilers: below a question that is still open, the page shows the cell whose result is asked for, and the headings of later parts.
// All else is covered until the reader predicts, or asks for it. What a link or a search leads to is shown. Slides, paper and teachers
// see everything (assets/book.css).

import { all, html } from "../../../viz/page/src/dom.js";
import { button } from "../../playground/src/button.js";

/** @type {{ form: HTMLElement, cell: Element | undefined, showAnyway: () => void }[]} */
let open = []; // the questions without an answer, from top to bottom
const anyway = button("show anyway", {}, show);
const note = html("p", { class: "cover-note" }, "What follows answers the question. Predict first, or ", anyway, ".");

export function cover(questions) {
  open = questions;
  addEventListener("beforematch", event => uncoverTo(event.target)); // a search in the page has found it
  update();
}

// To be called when a question is answered.
export const uncover = form => keepOpen(question => question.form !== form);

export const uncoverAll = () => keepOpen(() => false);

// Show what stands before an element, and the element.
export function uncoverTo(element) {
  if (element) keepOpen(({ form }) => !(form.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING));
}

function show() {
  const [{ form, showAnyway }] = open, [first] = coveredBy(open[0]);
  showAnyway();
  uncover(form);
  first.tabIndex = -1;
  first.focus({ preventScroll: true }); // the button is gone
}

function keepOpen(isOpen) {
  const count = open.length;
  open = open.filter(isOpen);
  if (open.length < count) update();
}

function update() {
  for (const block of all(".covered")) {
    block.classList.remove("covered");
    block.removeAttribute("hidden");
  }
  note.remove();
  const blocks = open.length ? coveredBy(open[0]) : [];
  if (blocks.length) (open[0].cell ?? open[0].form).after(note);
  for (const block of blocks) {
    block.classList.add("covered");
    block.setAttribute("hidden", "until-found");
  }
  dispatchEvent(new Event("uncovered")); // what scrolls can be measured now
}

// Return the blocks after a question. Of later parts these are the blocks below the heading.
function coveredBy({ form, cell }) {
  const found = [];
  for (let part = form; !part.matches("article"); part = part.parentElement)
    for (let next = part.nextElementSibling; next; next = next.nextElementSibling) {
      const blocks = next.matches("section:has(> h2)") ? [...next.children] : [next];
      found.push(...blocks.filter(block => block !== cell && block !== note && !block.matches("h2, script, span")));
    }
  return found;
}
