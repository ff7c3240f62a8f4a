// The new inputs of a step of gradient descent; before it the answers, after it what to do now.

import { button, html } from "../dom.js";
import { fewer } from "../fitting.js";
import { listen } from "../listening.js";
import { KINDS } from "../nudging/nudging.js";
import { whenLaidOut } from "../places.js";
import { bracketed, digits, happened, inNumbers, inWords, movedTexts, wordsOf } from "../say.js";

const MOST_MOVED = 8, MOST_ANSWERS = 10; // inputs whose step, or whose derivative, is shown

/** @param {Run} shown */
export function updatePanel(root, shown) {
  const run = inNumbers(shown);
  const { name, total, growth } = wordsOf(run);

  let last = null;

  function cards({ descent: { place } }, most) {
    return shortened(place.slopes, most, (slope, k) => {
      const { kind } = place.behaviour(k), effect = kind === "smooth" ? growth(run.live.inputs[k], slope) : KINDS[kind];
      return html("div", {},
        total(run.live.inputs[k]), " = ", html("b", { class: "slope" }, digits(slope)), html("span", { class: "effect" }, effect));
    });
  }

  function moves({ descent, rate }, most) {
    const { place, slopes, sign } = descent, after = descent.moved(rate);
    return shortened(slopes, most, (slope, k) => {
      const [from, to] = movedTexts(place.x[k], after[k]);
      return html("span", {},
        name(run.live.inputs[k]), ": ", from, sign < 0 ? " − " : " + ", rate ? digits(rate, 4) : "step size", " × ",
        html("b", { class: "slope" }, bracketed(slope, 4)), ...(rate ? [" = ", happened(to)] : []));
    });
  }

  // Return made(item, k) of the first items, and how many more there are.
  function shortened(items, most, made) {
    const rest = items.length - most;
    return rest < 2
      ? items.map(made)
      : [...items.slice(0, most).map(made), html("span", { class: "more" }, `${inWords(rest)} more ${run.nouns}`)];
  }

  const thing = (text, note, action) => button(action, {}, text, html("small", {}, note));
  const next = player => [
    thing("Predict it yourself", "the backward pass asks before it shows", () => player.enter("backward", 0, { predict: true })),
    thing("Nudge again", `${run.live.inputs.length > 1 ? `other ${run.nouns}, ` : ""}other sizes`, () => player.enter("nudge", 0)),
    thing("Backward pass again", `${shown.steps.length} steps`, () => player.enter("backward", 0)),
  ];

  // What has no room is among the others.
  function paint() {
    const { view, player, descent } = last, scrolled = root.scrollTop;
    if (view === "answers" || view === "check")
      fewer(root, MOST_ANSWERS, 1, most => root.replaceChildren(html("div", { class: "cards" }, ...cards(last, most))));
    else if (view === "end")
      root.replaceChildren(
        html("div", { class: "next-things" }, ...next(player)),
        html("p", { class: "note" },
          `With ${run.picker ? "arrays" : "a formula"} of your own: `,
          html("code", {}, run.picker ? "viz.play(z)" : 'python -m tutorial "x1*(x1 + x2)" x1=3 x2=4')),
      );
    else
      fewer(root, MOST_MOVED, 1, most => root.replaceChildren(
        html("h2", {}, `new ${run.noun} = old ${run.noun} ${descent.sign < 0 ? "−" : "+"} step size × derivative`),
        html("div", { class: "updates" }, ...moves(last, most)),
      ));
    root.scrollTop = scrolled;
  }
  for (const change of ["resize", "refit"]) listen(change, () => last && paint());

  return {
    show({ update }) {
      root.hidden = !update;
      last = update ?? null;
      if (update) whenLaidOut(root, () => paint); // its height depends on the other panels
    },
  };
}
