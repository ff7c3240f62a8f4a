// The player: the step that is shown, and the moves between steps.

import { ACTS, addressOf, makeAct } from "./acts/acts.js";
import { writeAddress } from "./address.js";
import { connectAllNumbers } from "./arrays/all_numbers.js";
import { connect } from "./controls.js";
import { all, button, find, html } from "./dom.js";
import { makeGlossary } from "./explain.js";
import { listen } from "./listening.js";
import { PANELS } from "./panels/panels.js";
import { settle, stopAtWhatScrolls } from "./places.js";
import { makePredict } from "./predict.js";
import { makeStops } from "./stops.js";

const PACE = 1800; // milliseconds between steps while it plays

// Make the panel of each element of the page that names one, data-panel="graph".
const makePanels = (run, player) =>
  Object.fromEntries(all("[data-panel]").map(root => {
    const name = root.dataset.panel;
    if (!PANELS[name]) throw new Error(`panels.js has no panel "${name}"`);
    return [name, Object.assign(PANELS[name](root, run, player), { root })];
  }));

// `settings` survive a zoom: the language of the algorithm, and whether the user predicts. The page opens at `start`: an act and the
// number of a step.
/** @param {Run} run */
export function makePlayer(run, settings, start) {
  const names = Object.keys(ACTS), left = {}; // the steps at which the user left the acts
  const [opens, first] = start.split(" ");
  let act = opens, at = 0;
  const player = {
    run,
    runAgain: settings.runAgain,
    acts: {},
    // Show what an act has to say of a variable: its iteration, or its value.
    pick(v, event) {
      if (player.frame.pick) return player.frame.pick(v, event);
      const part = here().parts.find(({ variable }) => variable === v);
      seek(part ? part.from : count() - 1);
    },
  };
  for (const name of names) player.acts[name] = makeAct(name, run, player);
  makeActButtons(find("#acts"), player);
  player.explain = makeGlossary(run, player);
  const shown = makePanels(run, player), difference = shown.comparison?.first;
  const predict = makePredict(find("#ask"), run, seek);
  const stops = makeStops(find("#stop-dialog"), run, marked => {
    shown.graph.markStops(marked);
    shown.bar.markStops(marked);
  });
  const clock = makeClock(() => {
    next();
    return !(at === count() - 1 || (act === "backward" && (stops.isStop(at) || at === difference)) || predict.asking);
  });

  const here = () => player.acts[act], count = () => here().length;

  function show(frame = here().frame(at)) {
    if (document.body.dataset.act !== frame.act) showAct(frame.act);
    player.frame = frame;
    for (const [name, panel] of Object.entries(shown)) {
      panel.root.classList.toggle("aside", !!frame.aside?.includes(name));
      if (!panel.root.closest(".elsewhere")) panel.show(frame);
    }
    for (const [way, to] of /** @type {const} */ ([["next", 1], ["back", -1]])) find(`#${way}`).ariaDisabled = beyond(to) ? null : "true";
    stopAtWhatScrolls();
    settle();
  }

  // Return whether there is a step in a direction, in this act or in another one.
  function beyond(to) {
    const i = to > 0 ? here().next(at) : here().back(at);
    return (i >= 0 && i < count()) || names[names.indexOf(act) + to] !== undefined;
  }

  // Show the panels and the buttons of an act: data-acts="nudge use".
  function showAct(name) {
    document.body.dataset.act = name;
    for (const element of all("[data-acts]")) element.classList.toggle("elsewhere", !element.dataset.acts.split(" ").includes(name));
    markActButton(find("#acts"), name);
  }

  // Go to a step, counted from 0. Steps between ask no question; a step that shows an answer asks for it first.
  function seek(i, { address = true } = {}) {
    at = left[act] = Math.max(0, Math.min(count() - 1, Math.trunc(i) || 0));
    predict.close();
    const question = act === "backward" ? predict.before(at) : undefined;
    if (question !== undefined) at = question - 1;
    show();
    if (address) writeAddress(`#${run.address ?? ""}${addressOf(act)}=${at + 1}`);
    // A page that embeds this one may count it.
    if (address && !run.address && act === "backward" && at === count() - 1) parent.postMessage({ done: "steps" }, "*");
    if (question !== undefined) predict.ask(question);
    else if (act === "backward" && at === count() - 1) predict.conclude();
  }

  // Start predict mode: ask at once for what the next step shows.
  function askHere() {
    enter("backward");
    if (!predict.asking && predict.between(at, at + 1) !== undefined) predict.ask(at + 1);
  }

  // Go to a later step, but not past the first difference to another trace, nor past the next question in predict mode.
  function forwards(i) {
    if (act === "backward" && at < difference && difference < i) i = difference;
    const question = act === "backward" ? predict.between(at, i) : undefined;
    if (question === undefined) return seek(i);
    clock.stop();
    if (at !== question - 1) seek(question - 1);
    predict.ask(question);
  }

  // After the last step of an act comes the first of the next, and before its first step the last of the act before.
  function next() {
    const i = here().next(at), after = names[names.indexOf(act) + 1];
    if (i < count()) forwards(i);
    else if (after) enter(after, 0);
  }

  function back() {
    const i = here().back(at), before = names[names.indexOf(act) - 1];
    if (i >= 0) seek(i);
    else if (before) enter(before, player.acts[before].length - 1);
  }

  function nextIteration() {
    if (here().finer) return seek(here().finer(at, 1));
    const part = here().parts[here().partOf(at) + 1];
    forwards(part ? part.from : at);
  }

  function previousIteration() {
    if (here().finer) return seek(here().finer(at, -1));
    const k = here().partOf(at), { from } = here().parts[k];
    seek(at > from || k === 0 ? from : here().parts[k - 1].from);
  }

  // Go to an act, to a step of it, or to where the user left it. With `predict`, the page asks before it shows.
  function enter(name, i = left[name] ?? 0, { predict: asks = false } = {}) {
    act = name;
    seek(i);
    if (asks && !predict.on) find("#predict").click();
  }

  function enterBeside(distance) {
    const name = names[names.indexOf(act) + distance];
    if (name) enter(name);
  }

  function play() {
    if (!clock.running && at === count() - 1) seek(0);
    clock.toggle();
  }

  // An address names an act and a step of it. In older addresses the values of the act Question are called forward.
  function followAddress() {
    const [, name, n] = /(\w+)=(\d+)$/.exec(location.hash) ?? [], found = names.find(other => [other, addressOf(other)].includes(name));
    if (name === "forward") [act, at] = ["question", player.acts.question.order.length ? +n : 0];
    else [act, at] = found ? [found, +n - 1] : [opens, +first - 1];
    seek(at, { address: false });
  }

  const moves = {
    next, back, nextIteration, previousIteration, seek, enter,
    first: () => seek(0),
    last: () => seek(count() - 1),
    go: n => seek(n - 1), // steps count from 1, as on the page
    nextAct: () => enterBeside(1),
    previousAct: () => enterBeside(-1),
    skip: () => enter("backward"),
    values: () => enter("question", 1),
    showEnd: () => show(player.acts.backward.frame(run.steps.length - 1)), // for print; the step stays
  };
  for (const [name, move] of Object.entries(moves)) player[name] = (...given) => { clock.stop(); move(...given); };
  Object.defineProperties(player, Object.getOwnPropertyDescriptors({
    play, followAddress, askHere,
    pause: clock.stop,
    refresh: () => show(),
    get step() { return at + 1; },
    get steps() { return count(); },
    get state() { return player.frame; },
  }));
  connect(player, { predict, stops, code: shown.code, settings });
  listen("resize", () => {
    stopAtWhatScrolls();
    settle();
  });
  if (run.arrays) connectAllNumbers(run, player);
  followAddress();
  return player;
}

// A button in the header for each act, and in the list of keys what the acts are about.
function makeActButtons(root, player) {
  root.replaceChildren(...Object.values(player.acts).map(({ name, title, about }, k) =>
    button(() => player.enter(name), { "data-name": name, title: `${about} (keys Shift ← →)` }, html("b", {}, k + 1), title)));
  const items = Object.values(player.acts).map(({ title, about }) => html("li", {}, html("b", {}, title), `: ${about}`));
  find("#about").replaceChildren(...items);
}

function markActButton(root, name) {
  let before = true;
  for (const each of root.children) {
    const now = each.dataset.name === name;
    if (now) before = false;
    each.classList.toggle("seen", before);
    if (now) each.setAttribute("aria-current", "true");
    else each.removeAttribute("aria-current");
  }
}

// Call `tick` at once and then every PACE milliseconds, until it returns false.
function makeClock(tick) {
  let timer = null;
  function set(found) {
    clearInterval(timer);
    timer = found;
    find("#play").setAttribute("aria-pressed", timer !== null);
    find("#play span").textContent = timer === null ? "play" : "pause";
  }
  const stop = () => set(null);
  const step = () => tick() || stop();
  return {
    stop,
    get running() { return timer !== null; },
    toggle() {
      if (timer !== null) return stop();
      set(setInterval(step, PACE));
      step();
    },
  };
}
