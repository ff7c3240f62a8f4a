// A question on a phone: its choices, the vote, and in the end the answer.

import { LETTERS, at, beside, made, written } from "./dom.js";
import { post } from "./ask.js";

const ROUND = { open: "Your prediction", second: "Second vote" };
const LOOK = "Look at the screen";
const TAGS = { ...ROUND, closed: LOOK, discuss: "Convince your neighbour", both: LOOK, reveal: "The answer" };
const WAITS = [0, 700, 1500, 3000, 6000]; // milliseconds before a vote is sent, and sent again
const DISCUSS = "Find somebody with another answer. Say why yours is right. Then everybody votes again.";
let now; // the newest state, to which a vote belongs

const isOpen = state => state.phase in ROUND && !state.paused;

// Return the parts of the page for a question.
export function question(state, sid) {
  const { question: asked, phase, answer } = state;
  const parts = [made("p", { className: "tag" }, state.paused ? "Paused" : TAGS[phase]), written("h2", asked.asked), beside(asked)];
  if (phase === "discuss") parts.push(made("p", { className: "box" }, DISCUSS));
  if (answer) parts.push(reply(answer));
  parts.push(asked.typed ? field(state, sid) : choices(state, sid));
  return [...parts.filter(Boolean), made("p", { id: "said", role: "status", className: "quiet" })];
}

function choices(state, sid) {
  const list = made("fieldset", { className: "choices" }, made("legend", {}, "Choices"));
  list.append(...state.question.choices.map((html, k) => choice(html, k, state, sid)));
  return list;
}

// Return the form in which a number is typed.
function field(state, sid) {
  const input = made("input", { id: "number", ariaLabel: "your number", maxLength: 30, autocomplete: "off", disabled: !isOpen(state) });
  const form = made("form", {}, input, isOpen(state) ? made("button", { className: "main" }, "This is my answer") : null);
  input.placeholder = "such as 9, −2.5, 1/3";
  form.onsubmit = event => {
    event.preventDefault();
    vote({ typed: input.value }, sid);
  };
  return form;
}

function choice(html, k, state, sid) {
  const { answer } = state, input = made("input", { type: "radio", name: "choice", value: k, disabled: !isOpen(state) });
  input.onchange = () => vote({ choice: k }, sid);
  const text = written("span", html), label = made("label", {}, input, made("b", { className: "letter" }, LETTERS[k]), text);
  if (state.phase === "second" && state.mine[1] === k) text.append(made("small", {}, "your first vote"));
  if (answer && k === answer.right) text.append(made("small", {}, k === answer.chosen ? "✓ right, and yours" : "✓ right"));
  else if (answer && k === answer.chosen) text.append(made("small", {}, "your answer"));
  if (answer) label.className = k === answer.right ? "right" : k === answer.chosen ? "wrong" : "";
  return label;
}

function reply({ chosen, right, said, why }) {
  if (chosen === null) return written("div", why, "box");
  const box = made("div", { className: chosen === right ? "box good" : "box bad" });
  box.append(made("b", {}, chosen === right ? "Right." : "Not yet."), written("p", said));
  if (chosen !== right) box.append(written("p", why, "quiet"));
  return box;
}

// Mark the student's own vote. In the second vote nothing is marked until there is one, so that the same answer can be given again.
export function marked(state) {
  now = state;
  if (!state.question) return;
  const mine = state.mine[state.round];
  const marks = mine ?? (state.phase === "second" ? undefined : state.mine[1]);
  if (at("number") && document.activeElement !== at("number")) at("number").value = marks ?? "";
  for (const input of document.querySelectorAll("[name=choice]")) check(/** @type {any} */ (input), marks);
  say(!(state.phase in ROUND) ? "" : state.paused ? "The vote is paused." : mine !== undefined ? "✓ Your answer is in. You may change it."
    : state.phase === "second" ? "Vote again, for the same answer or for another one." : "");
}

const check = (input, k) => (input.checked = +input.value === k);

const say = text => {
  if (at("said")) at("said").textContent = text;
};

// Send a vote until it is acknowledged, or until something else is asked. It may arrive twice: the last one counts.
async function vote(answer, sid) {
  const { question: { number }, round } = now;
  say("sending …");
  for (const wait of WAITS) {
    await new Promise(done => setTimeout(done, wait));
    if (now.question?.number !== number || now.round !== round) return;
    try {
      const { mine, said } = await post("vote", { sid, question: number, round, ...answer });
      if (said) return say(said); // what was typed is not a number
      return marked({ ...now, mine: { ...now.mine, [round]: mine } });
    } catch (error) {
      if (error.status === 409) return say("The vote is closed.");
      if (error.status && error.status !== 429 && error.status !== 507) return say("That did not work. Load the page again.");
    }
  }
  say("No connection. Tap your answer again.");
}
