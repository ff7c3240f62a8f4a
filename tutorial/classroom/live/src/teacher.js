// The teacher's windows on this machine: the one on the projector, and with &private in its address the one for the teacher alone.

import { at, command, made, written } from "./dom.js";
import { connected, listen } from "./ask.js";
import { following, leaveFollowing } from "./following.js";
import { help, listenToKeys } from "./keys.js";
import { isPrivate, lesson, phase, token } from "./lead.js";
import { asked } from "./asked.js";
import { asksForNumbers, buttons } from "./buttons.js";
import { ended } from "./ended.js";
import { fit } from "./fit.js";
import { joining } from "./joining.js";
import { testing } from "./testing.js";

let state, set;
const TITLES = { join: "Join the class", follow: "Follow me", end: "What the class believes" };
const NO_TOKEN = "This address has no valid token. Open the one that `teach live` printed.";

function show(news) {
  state = news;
  const { phase: name } = state;
  connected(true, [`${state.online} of ${state.here} connected`, ...["locked", "paused"].filter(is => state[is])].join(", "));
  at("late").textContent = isPrivate || name === "join" ? "" : `${new URL(set.address).host} · ${set.code}`;
  const title = (!set.is_test || name === "join") && TITLES[name] || set.title;
  at("title").textContent = `${title}${isPrivate ? " (for you alone)" : ""}`;
  at("warning").hidden = !state.warning;
  at("warning").textContent = state.warning;
  buttons(state, set, menu);
  if (name !== "follow") leaveFollowing();
  if (name === "follow") following(state, set);
  else at("main").replaceChildren(...inside(name));
  if (at("main").querySelector(".asked")) fit(at("main"), `${name} ${state.question}`);
  else at("main").className = "";
}
const again = () => state && show(state);
addEventListener("resize", again);
document.fonts.addEventListener("loadingdone", again);

function inside(name) {
  if (name === "join") return isPrivate ? ready() : joining(state, set);
  if (set.is_test) return testing(state, set);
  return name === "end" ? ended(state, set) : asked(state, set);
}

// Return what the teacher sees alone while students join: what will be asked, and the keys.
const ready = () => [made("p", { className: "tag" }, `${state.here} joined. Code ${set.code}. While a vote is open, this window shows the `
  + "counts and the mistakes; the projector does not."), made("div", { className: "ready" }, list(), help())];

// Say how to go on after the program has ended.
function gone() {
  at("warning").hidden = false;
  at("warning").textContent = `The program does not answer. If it has ended, go on with: ${command("live --resume", set)}`;
}

function open(...parts) {
  const close = made("button", { textContent: "Close", onclick: () => at("menu").close() });
  at("menu").replaceChildren(...parts, close);
  at("menu").showModal();
}

const menu = () => open(list());

// Return the list of questions. Numbers of further players are asked from these players.
function list() {
  const [chosen, numbers] = [false, true].map(is =>
    set.questions.filter(question => asksForNumbers(question) === is && !question.at?.page).map(item));
  return made("div", {}, ...(chosen.length ? [made("h2", {}, "Questions")] : []), ...chosen,
    ...(numbers.length ? [made("h2", {}, "Numbers")] : []), ...numbers);
}

function item({ number, asked: html }) {
  const button = written("button", html, state.asked.includes(number) ? "was-asked" : "");
  button.onclick = () => {
    at("menu").close();
    phase("open", number);
  };
  return button;
}

lesson().then(found => {
  set = found;
  const title = "for your own screen: counts and mistakes while the class votes, and where students are lost";
  const link = { href: `#${token}&private`, target: "_blank", rel: "noopener", title };
  if (!isPrivate && !set.is_test) at("late").before(made("a", link, "private window"));
  listen(`state?token=${encodeURIComponent(token)}`, show, () => (at("status").textContent = NO_TOKEN), gone);
  listenToKeys(() => ({ state, set }), () => set.is_test || menu(), () => open(help()));
}).catch(() => (at("status").textContent = NO_TOKEN));
