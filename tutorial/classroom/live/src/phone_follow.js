// The page that the class follows, on a phone. While it follows, it shows the teacher's place, and a player's own controls are hidden. In
// the book it can be scrolled. Released, a student may step, or read on in the book, and comes back by a button.

import { at, made } from "./dom.js";
import { post } from "./ask.js";
import { bring, isBook, keepLinks, placeOf } from "./places.js";

const CONTROLS = "#controls, header button:not([data-name])"; // of the player
const LOOK = 300, AGAIN = 2000; // milliseconds between two looks at where the student has gone; until a page is loaded again
let frame = null, now, timer, applied = "", finger = 0;

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
  const src = now.step.startsWith("/") ? now.step : `player/${now.page}.html${now.step}`;
  frame = made("iframe", { src, title: "player", onload: () => loaded(src) });
  const veil = made("div", { className: "veil", id: "veil", onwheel: ({ deltaY }) => scroll(deltaY) });
  veil.ontouchstart = ({ touches: [{ clientY }] }) => (finger = clientY);
  veil.ontouchmove = ({ touches: [{ clientY }] }) => {
    scroll(finger - clientY);
    finger = clientY;
  };
  at("main").replaceChildren(made("div", { className: "frame" }, frame, veil));
  at("foot").hidden = false;
  at("foot").replaceChildren(made("button", { id: "lost", onclick: () => lost(sid) }, "I am lost here"),
    made("button", { id: "back", onclick: () => apply(true) }, "Back to the teacher"));
}

// Scroll the page, whose own controls cannot be reached while it follows.
const scroll = by => frame.contentWindow.scrollBy(0, by);

function loaded(src) {
  applied = "";
  if (!frame.contentDocument) { // it shows a page of elsewhere, or none
    setTimeout(() => frame && (frame.src = src), AGAIN);
    return;
  }
  keepLinks(frame.contentWindow, ({ href }, event) => {
    if (now.following || !href.startsWith(`${location.origin}/book/`)) event.preventDefault();
  });
  apply();
}

// Return whether the page shows the teacher's place. In the book it may be scrolled from there.
function isThere() {
  const view = frame.contentWindow;
  return isBook(view) ? applied === now.step && now.step.startsWith(view.location.pathname) : placeOf(view) === now.step;
}

// Bring the page to the teacher's place, if it follows or if its student asks for that (`back` is true).
function apply(back) {
  const follows = now.following;
  if (!ready()) return;
  const view = frame.contentWindow, book = isBook(view);
  at("veil").hidden = !follows || book;
  if (!book) for (const part of view.document.querySelectorAll(CONTROLS)) part.style.display = follows ? "none" : "";
  if (now.step && ((follows && !isThere()) || back === true)) {
    applied = now.step;
    bring(view, now.step);
  }
  at("back").hidden = follows || (!book && isThere());
  at("lost").textContent = now.lost && now.lost === here() ? "✓ marked: lost here" : "I am lost here";
}

const here = () => (frame.contentDocument && placeOf(frame.contentWindow)) || now.step;

async function lost(sid) {
  try {
    const step = here();
    await post("lost", { sid, page: now.page, step });
    now.lost = step;
    apply();
  } catch {
    at("lost").textContent = "Not sent. Try again.";
  }
}
