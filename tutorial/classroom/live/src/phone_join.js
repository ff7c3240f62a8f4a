// The form by which a student joins.

import { made } from "./dom.js";

const LONGEST = 20; // a code has six letters, and a student may type spaces between them
const ASKED = { // by what the class wants to know
  name: "Your name, for your teacher alone",
  mark: "A mark by which your test before the course and the one after it find each other: the last two letters of the street in which "
    + "you grew up, and the day of your birthday, such as ET17",
};
const PRIVATE = "Nothing is sent but your answers, and only to the teacher's computer.";

// Show the form. `join` gets the code and the name.
export function form(main, code, said, join) {
  const letters = made("input", { className: "code", value: code, maxLength: LONGEST, autocomplete: "off", required: true });
  const name = made("input", { maxLength: 24, autocomplete: "off", placeholder: "may stay empty" });
  [letters.spellcheck, letters.autocapitalize] = [false, "none"];
  const words = ASKED[document.body.dataset.names];
  const asked = words ? made("label", {}, words, name) : null;
  const shown = made("form", {}, made("h2", {}, "Join the class"), made("label", {}, "The code on the screen", letters), asked,
    made("p", { className: said ? "said" : "quiet", role: "status" }, said || PRIVATE), made("button", { className: "main" }, "Join"));
  shown.onsubmit = event => {
    event.preventDefault();
    join(letters.value.toLowerCase().replace(/[^a-z]/g, ""), name.value);
  };
  main.replaceChildren(shown);
}
