// The teacher's windows on this machine: the one on the projector, and with &private in its address the one for the teacher alone.

import { at, made, written } from "./dom.js";
import { connected, listen } from "./ask.js";
import { following, leaveFollowing } from "./following.js";
import { help, listenToKeys } from "./keys.js";
import { isPrivate, lesson, phase, token } from "./lead.js";
import { asked } from "./asked.js";
import { buttons } from "./buttons.js";
import { ended } from "./ended.js";
import { joining } from "./joining.js";
import { testing } from "./testing.js";

let state, set;
const TITLES = { join: "Join the class", follow: "Follow me", end: "What the class believes" };
const NO_TOKEN = "This address has no valid token. Open the one that `teach live` printed.";

function show(news) {
  state = news;
  const { phase: name } = state;
  connected(true, `${state.online} of ${state.here} connected${state.locked ? ", locked" : ""}${state.paused ? ", paused" : ""}`);
  const title = (!set.is_test || name === "join") && TITLES[name] || set.title;
  at("title").textContent = `${title}${isPrivate ? " (for you alone)" : ""}`;
  at("warning").hidden = !state.warning;
  at("warning").textContent = state.warning;
  buttons(state, set, menu);
  if (name !== "follow") leaveFollowing();
  if (name === "follow") following(state, set);
  else at("main").replaceChildren(...shown(name)(state, set));
}

function shown(name) {
  if (name === "join") return joining;
  if (set.is_test) return testing;
  return name === "end" ? ended : asked;
}

function open(...parts) {
  const close = made("button", { textContent: "Close", onclick: () => at("menu").close() });
  at("menu").replaceChildren(...parts, close);
  at("menu").showModal();
}

function menu() {
  const [chosen, typed] = [false, true].map(is => set.questions.filter(question => question.typed === is).map(item));
  open(made("h2", {}, "Questions"), ...chosen, ...(typed.length ? [made("h2", {}, "Numbers to type")] : []), ...typed);
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
  const link = { href: `#${token}&private`, target: "_blank", rel: "noopener" };
  if (!isPrivate && !set.is_test) at("status").before(made("a", link, "private window"));
  listen(`state?token=${encodeURIComponent(token)}`, show, () => (at("status").textContent = NO_TOKEN));
  listenToKeys(() => ({ state, set }), () => set.is_test || menu(), () => open(help()));
}).catch(() => (at("status").textContent = NO_TOKEN));
