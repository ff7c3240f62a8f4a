// The form by which a student joins.

import { made } from "./dom.js";

const LENGTH = 6; // letters of a code
const PRIVATE = "Nothing is sent but your answers, and only to the teacher's computer.";

// Show the form. `join` gets the code and the name.
export function form(main, code, said, join) {
  const letters = made("input", { className: "code", value: code, maxLength: LENGTH, autocomplete: "off", required: true });
  const name = made("input", { maxLength: 24, autocomplete: "off", placeholder: "may stay empty" });
  [letters.spellcheck, letters.autocapitalize] = [false, "none"];
  const asked = document.body.dataset.names ? made("label", {}, "Your name, for your teacher alone", name) : null;
  const shown = made("form", {}, made("h2", {}, "Join the class"), made("label", {}, "The code on the screen", letters), asked,
    made("p", { className: said ? "said" : "quiet", role: "status" }, said || PRIVATE), made("button", { className: "main" }, "Join"));
  shown.onsubmit = event => {
    event.preventDefault();
    join(letters.value.trim().toLowerCase(), name.value);
  };
  main.replaceChildren(shown);
}
