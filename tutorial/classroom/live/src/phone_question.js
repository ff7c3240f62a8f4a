// A question on a phone: its choices, the vote, and in the end the answer.

import { LETTERS, at, beside, made, written } from "./dom.js";
import { post } from "./ask.js";

const ROUND = { open: "Your prediction", second: "Second vote" };
const LOOK = "Look at the screen";
const TAGS = { ...ROUND, closed: LOOK, discuss: "Convince your neighbour", both: LOOK, reveal: "The answer" };
const WAITS = [0, 700, 1500, 3000, 6000]; // milliseconds before a vote is sent, and sent again
const DISCUSS = "Find somebody with another answer. Say why yours is right. Then everybody votes again.";
export const BUSY = [429, 507]; // too many requests, no room on the disk: later it may work
let now; // the newest state, to which a vote belongs
let wanted = null, sending = false; // the newest vote that is not acknowledged

const isOpen = state => state.phase in ROUND && !state.paused;

// Return the parts of the page for a question.
export function question(state, sid) {
  const { question: asked, phase, answer } = state;
  const parts = [made("p", { className: "tag" }, state.paused ? "Paused" : TAGS[phase]), written("h2", asked.asked), beside(asked)];
  if (phase === "discuss") parts.push(made("p", { className: "box" }, DISCUSS));
  if (answer) parts.push(reply(answer));
  parts.push(asked.typed ? field(state, sid) : choices(asked, (html, k) => choice(html, k, state, sid)));
  return [...parts.filter(Boolean), sentBelow()];
}

export const sentBelow = () => made("p", { id: "said", role: "status", className: "quiet" });

export const choices = (asked, shown) =>
  made("fieldset", { className: "choices" }, made("legend", {}, "Choices"), ...asked.choices.map(shown));

export function check(k) {
  for (const input of /** @type {any} */ (document.querySelectorAll("[name=choice]"))) input.checked = +input.value === k;
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
  const given = wanted?.question === state.question.number && wanted.round === state.round ? wanted : null;
  const marks = given ? given.choice ?? given.typed : mine ?? (state.phase === "second" ? undefined : state.mine[1]);
  if (at("number") && document.activeElement !== at("number")) at("number").value = marks ?? "";
  check(marks);
  const isIn = mine !== undefined ? "✓ Your answer is in. You may change it." : "";
  const asked = state.phase === "second" && state.mine[1] !== undefined ? "Vote again, for the same answer or for another one." : "";
  if (!given) say(!(state.phase in ROUND) ? "" : state.paused ? "The vote is paused." : isIn || asked);
}

const say = text => {
  if (at("said")) at("said").textContent = text;
};

// Send the newest vote until it is acknowledged, or until something else is asked. It may arrive twice: the last one counts.
function vote(answer, sid) {
  wanted = { question: now.question.number, round: now.round, ...answer };
  say("sending …");
  if (!sending) send(sid);
}

async function send(sid) {
  sending = true;
  for (let tries = 0; wanted;) {
    const mine = wanted;
    await pause(WAITS[tries]);
    if (wanted !== mine) tries = 0;
    else if (now.question?.number !== mine.question || now.round !== mine.round) wanted = null;
    else if (!(await isSent(mine, sid))) {
      tries = Math.min(tries + 1, WAITS.length - 1);
      if (tries > 1) say("No connection. This page keeps trying.");
    }
  }
  sending = false;
}

// Wait for some milliseconds, or until the phone is in a network again.
const pause = milliseconds => new Promise(done => {
  setTimeout(done, milliseconds);
  addEventListener("online", done, { once: true });
});

// Return whether a vote was answered.
async function isSent(ballot, sid) {
  try {
    const { mine, said } = await post("vote", { sid, ...ballot });
    if (wanted !== ballot) return true; // another answer waits
    wanted = null;
    if (said) say(said); // what was typed is not a number
    else marked({ ...now, mine: { ...now.mine, [ballot.round]: mine } });
  } catch ({ status }) {
    if (!status || BUSY.includes(status)) return false;
    wanted = wanted === ballot ? null : wanted;
    say(status === 409 ? "The vote is closed." : "That did not work. Load the page again.");
  }
  return true;
}
