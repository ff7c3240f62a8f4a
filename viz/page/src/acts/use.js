// Act 4: what derivatives are good for. Check them; then make z smaller, or larger, by gradient descent.

import { button } from "../dom.js";
import { Descent } from "../nudging/descent.js";
import { isChange, tidy } from "../nudging/nudging.js";
import { changedText, digits, inNumbers, say, signed, wordsOf } from "../say.js";
import { actWithout, stillFrame } from "./act.js";
import { notLiveText } from "./nudge_sentences.js";
import { useSentences } from "./use_sentences.js";

/** @param {Run} shown */
export function useAct(shown, player) {
  const run = inNumbers(shown);
  if (!run.live) return actWithout(shown, "use", notLiveText(shown));
  const descent = new Descent(run), told = useSentences(run, descent), steps = useSteps(descent, told);
  const { z } = wordsOf(run), few = run.live.inputs.length <= FEW_ANSWERS;
  let at = -1, rate = 0, view = null, taken = null; // `taken` is what is said after a step

  function enterStep(i) {
    at = i;
    taken = null;
    view = steps[i].view;
    if (steps[i].rate === undefined) return;
    if (descent.places.length > 1) descent.restart();
    rate = steps[i].rate();
  }

  function change(amount) {
    rate = Math.max(0, tidy(amount));
    if (view !== "moves") view = "moves";
    player.refresh();
  }

  function take() {
    if (!rate) rate = descent.first;
    descent.take(rate);
    if (descent.isTooFar(rate)) rate = descent.first;
    [view, taken] = ["moves", () => told.taken()];
    player.refresh();
  }

  // Run every act again at the new place, and show its backward pass.
  function walkHere() {
    const why = player.runAgain(descent.place.x, ["backward", 0]);
    if (why === null) return;
    taken = () => say`${why}`;
    player.refresh();
  }

  function head(sign) {
    descent.restart(sign);
    [rate, taken] = [steps[at].rate?.() ?? descent.first, null];
    player.refresh();
  }

  // A button has room for a short name of the target; who hears it hears the whole name.
  function towards(word, sign) {
    const name = z(), label = `${word} ${run.variables[run.z].name}`;
    return button(() => head(sign), { "aria-label": label }, word, ...(name.textContent.length <= LONGEST_IN_A_BUTTON ? [" ", name] : []));
  }

  const buttons = {
    take: button(take, {}, "take the step"), smaller: towards("smaller", -1), larger: towards("larger", 1),
    restart: button(() => head(descent.sign), {}, "start again"), walk: button(walkHere, {}, "see the backward pass here"),
  };
  const turn = many => change(Math.min(descent.most, rate + many * descent.step));

  function frame(i) {
    if (i !== at) enterStep(i);
    const moving = view === "moves", now = moving ? rate : 0, goes = moving && told.canMove();
    return {
      ...stillFrame(shown, "use", i),
      said: taken?.() ?? steps[at].say(rate),
      keys: goes ? { ArrowUp: () => turn(1), ArrowDown: () => turn(-1) } : {},
      ...run.shown(movedGraph(run, descent, now, moving)),
      origin: view === "answers" ? shown.asked : undefined,
      strip: goes ? useStrip(descent, told, buttons, { rate, change, turn }) : null,
      plot: usePlot(run, descent, now),
      update: { view, descent, rate: now, player },
      aside: { answers: ["plot", ...(few ? [] : ["checks"])], check: ["plot", ...(few ? [] : ["update"])] }[view],
      checks: {
        view, descent, rate: now, note: told.note(view), walk: moving && run.live.numbers && descent.places.length > 1 ? buttons.walk : "",
      },
    };
  }

  return { title: "Use", about: `Check the answers. Then make ${run.variables[run.z].name} smaller.`, steps, frame };
}

const LONGEST_IN_A_BUTTON = 8; // letters of a name
const FEW_ANSWERS = 5; // inputs whose answers and checks have room together

// Return [{name, view, rate(), say(rate)}]; without a direction in which z changes there is no step to take.
function useSteps(descent, told) {
  return [
    { name: "the answer", view: "answers", rate: () => 0, say: told.answers },
    { name: "check", view: "check", rate: () => 0, say: told.check },
    { name: "which way?", view: "moves", rate: () => 0, say: told.direction },
    ...(told.canMove() ? [
      { name: "one step", view: "moves", rate: () => descent.first, say: told.step },
      { name: "too far", view: "moves", rate: () => descent.tooFar ?? descent.most, say: told.tooFar }] : []),
    { name: "what now?", view: "end", say: told.last },
  ];
}

// Return what the graph shows when all inputs move: new values, changes, derivatives, and an arrow at each input.
function movedGraph(run, descent, rate, moving) {
  const { place, slopes, sign } = descent, now = descent.valuesAfter(rate), values = new Map(), arrows = new Map();
  const longest = Math.max(...slopes.map(Math.abs)) || 1;
  const atStart = descent.places.length === 1;
  run.variables.forEach((variable, v) => {
    const changed = isChange(place.values[v], now[v]), input = run.live.inputs.indexOf(v);
    const text = changed ? changedText(now[v], place.values[v]) : atStart ? variable.text : digits(now[v], 4);
    values.set(v, {
      text, number: now[v], change: changed && input < 0 ? signed(now[v] - place.values[v], 4) : "",
      total: atStart ? null : digits(place.totals[v], 4), moved: changed,
    });
    if (moving && input >= 0 && slopes[input])
      arrows.set(v, {
        length: Math.abs(slopes[input]) / longest, right: sign * slopes[input] > 0,
        text: rate ? signed(sign * rate * slopes[input], 3) : "",
      });
  });
  return { values, arrows, totals: run.steps.length ? run.totals(run.steps.length - 1) : new Map() };
}

function useStrip(descent, told, { take, smaller, larger, restart }, { rate, change, turn }) {
  smaller.setAttribute("aria-pressed", descent.sign < 0);
  larger.setAttribute("aria-pressed", descent.sign > 0);
  return {
    chooser: descent.places.length > 1 ? [take, restart] : [take, smaller, larger], turn, set: change, label: "step size", value: rate,
    least: 0, most: descent.most, step: descent.step, text: digits(rate), readout: told.readout(rate),
  };
}

function usePlot(run, descent, rate) {
  const { pace, most } = descent, { name } = wordsOf(run), to = Math.max(most, rate * 1.05);
  return {
    title: [name(run.z), " against the step size"],
    note: run.live.inputs.length > 1 ? `all ${run.nouns} move at once` : "",
    compares: run.compares,
    key: `use ${descent.places.length} ${descent.sign} ${to}`,
    f: r => descent.zAfter(r),
    from: 0,
    to,
    at: 0,
    here: rate,
    lines: [{ slope: pace, from: 0, to }],
    tangent: "what was promised",
    reached: [name(run.z), ` = ${digits(descent.zAfter(rate), 4)}`],
  };
}
