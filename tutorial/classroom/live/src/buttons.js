// The buttons below the teacher's window, and what comes next.

import { at, made } from "./dom.js";
import { forgetLost, isPrivate, phase, turn } from "./lead.js";
import { upcoming } from "./following.js";

const NEXT = { // {phase: what the large button says, and what it does}
  open: ["Close the vote", () => phase("closed")],
  closed: ["Discuss in pairs", () => phase("discuss")],
  discuss: ["Vote again", () => phase("second")],
  second: ["Close the second vote", () => phase("both")],
  both: ["Show the answer", () => phase("reveal")],
};

const NEXT_OF_TEST = {
  join: ["Begin the test", () => phase("paced")],
  paced: ["End: collect the answers", () => phase("end")],
  end: ["Go on with the test", () => phase("paced")],
};

// Return what the large button says and does. A question that was interrupted comes first. Then come those that were not asked yet, in
// their order; derivatives and numbers to type only if the lesson asks nothing else.
export function next(state, set) {
  if (set.is_test) return NEXT_OF_TEST[state.phase];
  if (state.phase in NEXT) return NEXT[state.phase];
  if (state.waiting) return ["Back to the question", () => phase(state.waiting)];
  if (state.phase === "end") return ["Back to the code", () => phase("join")];
  const inOrder = set.questions.filter(question => !asksForNumbers(question)), left = (inOrder.length ? inOrder : set.questions)
    .map(({ number }) => number).filter(number => !state.asked.includes(number));
  if (!set.questions.length && state.phase === "join") return ["Follow me", () => phase("follow")];
  if (!left.length) return ["End: what the class believes", () => phase("end")];
  const after = left.find(number => number > state.question) ?? left[0];
  return [state.asked.length ? "Next question" : "Ask the first question", () => phase("open", after)];
}

const button = (text, onclick, className = "") => made("button", { textContent: text, onclick, className });

export function buttons(state, set, showMenu) {
  const [text, go] = next(state, set), more = [];
  if (state.phase === "closed") more.push(button("Open it again", () => phase("open")));
  if (["closed", "discuss"].includes(state.phase)) more.push(button("Show the answer", () => phase("reveal")));
  if (state.votes) more.push(button(state.paused ? "Go on" : "Pause", () => turn("pause", !state.paused)));
  if (state.phase === "follow") {
    const coming = upcoming(state, set);
    if (coming !== undefined) more.push(button("Ask what comes next", () => phase("open", coming)));
    more.push(button(state.following ? "Release the players" : "Everybody follows me", () => turn("follow", !state.following)));
    if (isPrivate && Object.keys(state.lost).length) more.push(button("Clear “lost”", forgetLost));
  } else if (set.players.length) more.push(button("Follow me", () => phase("follow")));
  const lock = button(state.locked ? "Unlock" : "Lock", () => turn("lock", !state.locked));
  const code = button("Code", () => phase("join")), end = button("End", () => phase("end"));
  at("foot").replaceChildren(
    ...(set.is_test ? [lock] : [button("Questions", showMenu), code, lock, end]),
    made("span", { className: "between" }), ...more, button(`${text} →`, go, "main"),
  );
}

// Return whether a question asks for a derivative of a player, or for a number to type.
export function asksForNumbers(question) {
  return question.typed || Boolean(question.at);
}
