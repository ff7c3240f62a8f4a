// The teacher's player, whose steps the phones and the teacher's other windows follow, and where students are lost.

import { at, made } from "./dom.js";
import { bar } from "./bars.js";
import { isPrivate, step } from "./lead.js";

const LOOK = 120; // milliseconds between two looks at the player's address
const ACTS = ["question", "nudge", "step", "use"]; // in the order of a player, as its address names them
const WANTED = 720; // pixels: in a lower window a player hides a part of its graph, so it is drawn smaller
let frame = null, timer, page, told = "", unanswered = 0;

// The place of the teacher's page: its address, or in a chapter the section that is read.
function whereIs() {
  const { location: place, document: { body }, innerHeight } = frame.contentWindow ?? window;
  if (!place.pathname.startsWith("/book/")) return place.hash;
  const read = [...body.querySelectorAll("section[id]")].filter(section => section.getBoundingClientRect().top < innerHeight / 3);
  return read.length ? `#${read.at(-1).id}` : place.hash;
}

export function leaveFollowing() {
  clearInterval(timer);
  frame = null;
  at("choose").replaceChildren();
}

export function following(state, set) {
  if (isPrivate) return at("main").replaceChildren(...lost(state, set));
  if (!frame || page !== state.page) return begin(state, set);
  // Another window has stepped: this one has told all that its player did, and the server says something else.
  if (state.step && state.step !== told && !unanswered && whereIs() === told) {
    told = state.step;
    const { location: place } = frame.contentWindow;
    place.replace(place.pathname + told);
  }
}

function begin(state, set) {
  clearInterval(timer);
  page = state.page;
  told = "";
  frame = made("iframe", { src: `player/${page}.html${state.step || "#step=1"}`, title: set.players[page] });
  frame.onload = () => frame.contentWindow.focus(); // so that the arrow keys step
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
  const here = whereIs();
  if (!here || here === told) return;
  told = here;
  unanswered += 1;
  step(page, here).then(() => (unanswered -= 1));
}

const place = hash => {
  const [, act, n] = /(\w+)=(\d+)/.exec(hash) ?? [undefined, "", 0];
  return ACTS.indexOf(act) * 10000 + +n;
};
const name = hash => hash.replace(/^#/, "").replace(/[=&]/g, " ");

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
