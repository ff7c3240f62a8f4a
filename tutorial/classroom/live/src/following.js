// The teacher's player, whose steps the phones follow, and where students are lost.

import { at, made } from "./dom.js";
import { bar } from "./bars.js";
import { isPrivate, step } from "./lead.js";

const LOOK = 120; // milliseconds between two looks at the player's address
const ACTS = ["question", "nudge", "step", "use"]; // in the order of a player, as its address names them
let frame = null, timer, page, told = "";

export function leaveFollowing() {
  clearInterval(timer);
  frame = null;
}

export function following(state, set) {
  if (!isPrivate && (!frame || page !== state.page)) begin(state, set);
  if (isPrivate) at("main").replaceChildren(made("div", { id: "lost" }));
  showLost(state);
}

function begin(state, set) {
  clearInterval(timer);
  page = state.page;
  told = "";
  frame = made("iframe", { src: `player/${page}.html${state.step || "#step=1"}`, title: set.players[page] });
  frame.onload = () => frame.contentWindow.focus(); // so that the arrow keys step

  const choose = made("select", { ariaLabel: "the page", onchange: () => step(+choose.value, "") },
    ...set.players.map((title, k) => made("option", { value: k, selected: k === page }, title)));
  const followers = made("p", { className: "quiet", id: "followers" });
  at("main").replaceChildren(made("div", { className: "following" }, frame, made("div", {}, choose, followers)));
  timer = setInterval(tell, LOOK);
}

// Tell the phones where the player is.
function tell() {
  const hash = frame.contentWindow?.location.hash ?? "";
  if (!hash || hash === told) return;
  told = hash;
  step(page, hash);
}

const place = hash => {
  const [, act, n] = /(\w+)=(\d+)/.exec(hash) ?? [undefined, "", 0];
  return ACTS.indexOf(act) * 10000 + +n;
};
const name = hash => hash.replace(/^#/, "").replace(/[=&]/g, " ");

// Show in the private window how many are lost at which step, in the order of the player.
function showLost(state) {
  if (at("followers")) at("followers").textContent = state.following ? `${state.online} phones follow.` : "The phones are released.";
  if (!isPrivate) return;
  const rows = Object.entries(state.lost).sort(([a], [b]) => place(a) - place(b)), most = Math.max(1, ...rows.map(([, n]) => n));
  at("lost").replaceChildren(made("p", { className: "tag" }, "Where students are lost"),
    ...(rows.length ? [] : [made("p", { className: "quiet" }, "Nobody has said so yet. Each phone has a button for it.")]),
    ...rows.map(([hash, n]) => {
      const row = made("div", { className: hash === state.step ? "option right" : "option" });
      row.append(made("b", {}, name(hash)), bar(n, most));
      return row;
    }));
}
