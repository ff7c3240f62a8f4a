// A test on a phone: all its questions, in any order, at the student's own pace. An answer that could not be sent is kept on the phone.

import { at, beside, made, written } from "./dom.js";
import { post } from "./ask.js";
import { BUSY, check, choices, sentBelow } from "./phone_question.js";

const KEY = "live-unsent", AGAIN = 2000; // milliseconds until an answer is sent again
const KEPT = "Your answer is kept on this phone. It is sent as soon as the teacher's computer answers.";
let questions, mine = {}, place = 0, sending = false, away = false;
let unsent = { ...JSON.parse(localStorage.getItem(KEY) ?? "{}") }; // {sid, answers: {question: choice}}

const answers = () => ({ ...mine, ...unsent.answers });
const keep = () => localStorage.setItem(KEY, JSON.stringify(unsent));

// Show the test. The first time its questions are fetched, and it goes on at the first one that has no answer.
export async function test(state, sid) {
  mine = state.mine;
  if (unsent.sid !== sid) unsent = { sid, answers: {} };
  if (!questions) {
    const answer = await fetch(`test?sid=${encodeURIComponent(sid)}`).catch(() => null);
    if (!answer?.ok) return void setTimeout(() => test(state, sid), AGAIN);
    ({ questions } = await answer.json());
    place = open()[0] ?? questions.length;
  }
  if (!at("places")) show(sid);
  mark();
  send(sid);
}

// Forget the questions: another test may come.
export function leaveTest() {
  questions = null;
}

const open = () => [...questions.keys()].filter(k => !(k in answers()));

function show(sid) {
  const all = questions.length, asked = questions[place];
  const go = to => () => {
    place = to;
    show(sid);
    mark();
    at("main").scrollTop = 0;
  };
  const numbers = questions.map((_, k) => made("button", { onclick: go(k) }, `${k + 1}`));
  const places = made("nav", { id: "places", ariaLabel: "questions" }, ...numbers);
  const parts = asked ? [made("p", { className: "tag" }, `Question ${place + 1} of ${all}`), written("h2", asked.asked), beside(asked),
    choices(asked, (html, k) => option(html, k, asked, sid))] : overview();
  const step = made("div", { className: "steps" }, made("button", { onclick: go(place - 1), disabled: !place }, "← Back"),
    asked ? made("button", { className: "main", onclick: go(place + 1) }, place + 1 < all ? "Next →" : "Finish →") : null);
  at("main").replaceChildren(...parts.filter(Boolean), sentBelow(), step, places);
}

function option(html, k, asked, sid) {
  const input = made("input", { type: "radio", name: "choice", value: k });
  input.onchange = () => {
    unsent.answers[asked.number] = k;
    keep();
    mark();
    send(sid);
  };
  return made("label", {}, input, written("span", html));
}

function overview() {
  const left = open().map(k => k + 1).join(", ");
  return [made("h2", {}, left ? "Some questions are open" : "You have answered all questions."),
    made("p", {}, left ? `Without an answer: ${left}. If you do not know, leave a question open.` : "You may still change answers."),
    made("p", { className: "quiet" }, "Your teacher ends the test. You will see no solutions, since others may still take it.")];
}

// Mark what is answered, and say whether it has arrived.
function mark() {
  const given = answers(), waiting = Object.keys(unsent.answers).length;
  check(given[place]);
  [...at("places").children].forEach((button, k) => {
    button.className = k in given ? "given" : "";
    button.ariaLabel = `question ${k + 1}${k in given ? ", answered" : ""}`;
    button.ariaCurrent = k === place ? "step" : "false";
  });
  at("said").textContent = waiting ? (away ? KEPT : "sending …") : place in given ? "✓ Your answer is in. You may change it." : "";
}

// Send the answers one after the other until each is acknowledged. One that is sent twice counts once.
async function send(sid) {
  if (sending) return;
  sending = true;
  for (let next; (next = Object.keys(unsent.answers)[0]) !== undefined;) {
    const choice = unsent.answers[next];
    try {
      await post("vote", { sid, question: +next, round: 1, choice });
      mine = { ...mine, [next]: choice };
      away = false;
      arrived(next, choice);
    } catch (error) {
      if (error.status && !BUSY.includes(error.status)) break; // the test has ended; if it goes on, the answer is sent
      else {
        away = !error.status;
        if (at("places")) mark();
        await new Promise(done => setTimeout(done, AGAIN));
      }
    }
  }
  sending = false;
  if (at("places")) mark();
}

function arrived(number, choice) {
  if (unsent.answers[number] === choice) delete unsent.answers[number];
  keep();
}
