// The teacher's player, whose steps the phones and the teacher's other windows follow, and where students are lost.

import { at, made } from "./dom.js";
import { bar } from "./bars.js";
import { isPrivate, step } from "./lead.js";
import { bring, isBook, keepLinks, placeOf } from "./places.js";

const LOOK = 120, CALM = 5; // milliseconds between two looks; looks until a page of the book is where it was brought
const ACTS = ["question", "nudge", "step", "use"]; // in the order of a player, as its address names them
const WANTED = 720; // pixels: in a lower window a player hides a part of its graph, so it is drawn smaller
let frame = null, timer, page, told = "", brought = "", calm = 0;
let unanswered = 0, steps = 0; // of this window's steps; the number of all steps of the class after this window's last one

export function leaveFollowing() {
  clearInterval(timer);
  frame = null;
  at("choose").replaceChildren();
}

export function following(state, set) {
  if (isPrivate) return at("main").replaceChildren(...lost(state, set));
  if (!frame || page !== state.page) return begin(state, set);
  // Another window has stepped: this one has told all that its player did, and a state that is not older says something else.
  const view = frame.contentWindow;
  if (state.step && state.step !== told && !unanswered && state.steps >= steps && [told, brought].includes(placeOf(view))) {
    told = state.step;
    calm = isBook(view) ? CALM : 0;
    bring(view, told);
  }
}

function begin(state, set) {
  clearInterval(timer);
  page = state.page;
  [told, brought] = ["", ""];
  const src = state.step.startsWith("/") ? state.step : `player/${page}.html${state.step || "#step=1"}`;
  frame = made("iframe", { src, title: set.players[page] });
  frame.onload = () => {
    frame.contentWindow.focus(); // so that the arrow keys step
    keepLinks(frame.contentWindow, ({ href }, event) => {
      if (href.startsWith(`${location.origin}/`)) return; // the class goes there, too
      event.preventDefault();
      open(href, "_blank", "noopener");
    });
  };
  const choose = made("select", { ariaLabel: "the page", onchange: () => step(+choose.value, "") },
    ...set.players.map((title, k) => made("option", { value: k, selected: k === page }, title)));
  at("choose").replaceChildren(choose);
  at("main").replaceChildren(made("div", { className: "following" }, frame));
  fit();
  timer = setInterval(tell, LOOK);
}

function fit() {
  if (!frame) return;
  const scale = Math.min(1, at("main").clientHeight / WANTED), size = `${100 / scale}%`;
  Object.assign(frame.style, { transform: `scale(${scale})`, width: size, height: size });
}
addEventListener("resize", fit);

// Tell the server where the player is.
function tell() {
  const here = placeOf(frame.contentWindow);
  if (calm) { // a window that was brought to a slide may stand at its section
    calm -= 1;
    brought = here;
  }
  if (!here || [told, brought].includes(here)) return;
  [told, brought] = [here, ""];
  unanswered += 1;
  step(page, here).then(answer => {
    unanswered -= 1;
    steps = answer?.steps ?? steps;
  });
}

const place = hash => {
  const [, act, n] = /(\w+)=(\d+)/.exec(hash) ?? [undefined, "", 0];
  return ACTS.indexOf(act) * 10000 + +n;
};
const name = where => (where.split("#")[1] || where.split("/").at(-1)).replace(/[=&]/g, " ");

// Return, for the private window, how many are lost at which step, in the order of the player. A click brings all players there.
function lost(state, set) {
  const rows = Object.entries(state.lost).sort(([a], [b]) => place(a) - place(b)), most = Math.max(1, ...rows.map(([, n]) => n));
  return [made("p", { className: "tag" }, "Where students are lost"),
    made("p", { className: "quiet" }, `${set.players[state.page]}, ${name(state.step) || "at its beginning"}. ${rows.length
      ? "Press a row to go there." : "Nobody is lost so far. Each phone has a button for it."}`),
    made("div", { id: "lost" }, ...rows.map(([hash, n]) => made("button", {
      className: hash === state.step ? "option right" : "option", onclick: () => step(state.page, hash),
    }, made("b", {}, name(hash)), bar(n, most))))];
}

// Return the number of the question about the next number that the player will show, or undefined.
export function upcoming(state, set) {
  const [, act, n] = /(\w+)=(\d+)/.exec(state.step) ?? [undefined, "step", 0];
  return set.questions.find(({ at: of }) => of && act === "step" && of.page === state.page && of.step > +n)?.number;
}
