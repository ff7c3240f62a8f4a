// The buttons below the teacher's window, and what comes next.

import { at, made } from "./dom.js";
import { forgetLost, isPrivate, phase, turn } from "./lead.js";

const NEXT = { // {phase: what the large button says, and what it does}
  open: ["Close the vote", () => phase("closed")],
  closed: ["Discuss in pairs", () => phase("discuss")],
  discuss: ["Vote again", () => phase("second")],
  second: ["Close the second vote", () => phase("both")],
  both: ["Show the answer", () => phase("reveal")],
  end: ["Back to the code", () => phase("join")],
};

const NEXT_OF_TEST = {
  join: ["Begin the test", () => phase("paced")],
  paced: ["End: collect the answers", () => phase("end")],
  end: ["Go on with the test", () => phase("paced")],
};

// Return what the large button says and does.
export function next(state, set) {
  if (set.is_test) return NEXT_OF_TEST[state.phase];
  const after = state.question + 1;
  if (state.phase in NEXT) return NEXT[state.phase];
  if (after >= set.questions.length || set.questions[after].typed) return ["End: what the class believes", () => phase("end")];
  return [after ? "Next question" : "Ask the first question", () => phase("open", after)];
}

const button = (text, onclick, className = "") => made("button", { textContent: text, onclick, className });

export function buttons(state, set, showMenu) {
  const [text, go] = next(state, set), more = [];
  if (["closed", "discuss"].includes(state.phase)) more.push(button("Show the answer", () => phase("reveal")));
  if (state.votes) more.push(button(state.paused ? "Go on" : "Pause", () => turn("pause", !state.paused)));
  if (state.phase === "follow") {
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
