// The player on a phone. While it follows, it shows the teacher's step, and its own controls are hidden.

import { at, made } from "./dom.js";
import { post } from "./ask.js";

const CONTROLS = "#controls, header button:not([data-name])"; // of the player
const LOOK = 300; // milliseconds between two looks at where the student has gone
let frame = null, now, timer;

const hash = () => frame.contentWindow?.location.hash ?? "";
const ready = () => frame.contentDocument?.readyState === "complete" && frame.contentWindow.location.href !== "about:blank";

export function leave() {
  if (!frame) return;
  clearInterval(timer);
  frame = null;
  at("foot").hidden = true;
  at("foot").replaceChildren();
}

export function followed(state, sid) {
  const other = now?.page !== state.page;
  now = state;
  if (!frame || other) begin(sid);
  apply();
}

function begin(sid) {
  clearInterval(timer);
  timer = setInterval(() => apply(), LOOK);
  frame = made("iframe", { src: `player/${now.page}.html${now.step}`, title: "player", onload: () => apply() });
  const veil = made("div", { className: "veil", id: "veil" });
  at("main").replaceChildren(made("div", { className: "frame" }, frame, veil));
  at("foot").hidden = false;
  at("foot").replaceChildren(made("button", { id: "lost", onclick: () => lost(sid) }, "I am lost here"),
    made("button", { id: "back", onclick: () => apply(true) }, "Back to the teacher"));
}

// Bring the player to the teacher's step, if it follows or if its student asks for that (`back` is true).
function apply(back) {
  const follows = now.following;
  at("veil").hidden = !follows;
  if (!ready()) return;
  for (const part of frame.contentDocument.querySelectorAll(CONTROLS)) part.style.display = follows ? "none" : "";
  const { location: place } = frame.contentWindow;
  if ((follows || back === true) && now.step && hash() !== now.step) place.replace(place.pathname + now.step);
  at("back").hidden = now.following || hash() === now.step;
  at("lost").textContent = now.lost && now.lost === hash() ? "✓ marked: lost here" : "I am lost here";
}

async function lost(sid) {
  try {
    const step = hash() || now.step;
    await post("lost", { sid, page: now.page, step });
    now.lost = step;
    apply();
  } catch {
    at("lost").textContent = "Not sent. Try again.";
  }
}
