// The teacher's keys: go on, pause, lock, questions; and a show of hands.

import { at, made } from "./dom.js";
import { hand, turn } from "./lead.js";
import { next } from "./buttons.js";

const LETTERS = "abcdefgh", MOST_DIGITS = 3;
const KEYS = [
  ["Enter, →, Page Down", "go on"], ["A to D", "count a raised hand for this choice"], ["1 2 B", "count 12 hands for B"],
  ["Shift + B", "take a hand for B back"], ["P", "pause the vote, or go on"], ["L", "lock the class, or unlock it"],
  ["Q", "list the questions"], ["?", "list the keys"],
];
let typed = ""; // digits before a letter

// Return a list of the keys.
export const help = () => made("div", {}, made("h2", {}, "Keys"), ...KEYS.map(line));
const line = /** @param {string[]} row */ ([key, what]) => made("p", {}, made("kbd", {}, key), ` ${what}`);

// Let the keys act. `now` gives the state and what the lesson holds, `menu` shows the questions, `keys` the keys.
export function listenToKeys(now, menu, keys) {
  const goOn = ({ state, set }) => state.phase !== "follow" && next(state, set)[1]();
  const actions = {
    enter: goOn, arrowright: goOn, pagedown: goOn, q: menu, "?": keys,
    p: ({ state }) => state.votes && turn("pause", !state.paused),
    l: ({ state }) => turn("lock", !state.locked),
  };
  addEventListener("keydown", event => {
    const { state } = now(), key = event.key.toLowerCase();
    const elsewhere = at("menu").open || (key === "enter" && /** @type {Element} */ (event.target).matches("button, a, select"));
    if (!state || elsewhere || event.ctrlKey || event.metaKey || event.altKey || key === "shift") return;
    if (/^\d$/.test(key)) typed = (typed + key).slice(-MOST_DIGITS);
    else {
      if (state.votes && key.length === 1 && LETTERS.includes(key)) raise(now(), LETTERS.indexOf(key), event.shiftKey);
      else actions[key]?.(now());
      typed = "";
    }
  });
}

// Count the raised hands that were typed, or one.
function raise({ state, set }, choice, back) {
  const { choices, typed: isTyped } = set.questions[state.question];
  if (choice < choices.length && !isTyped) hand(state, choice, (back ? -1 : 1) * (+typed || 1));
}
