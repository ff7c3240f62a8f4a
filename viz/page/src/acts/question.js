// Act 1: a question, then the values of the graph, part by part. The guess at its end is answered by the nudge.

import { equals } from "../dom.js";
import { Place, tidy } from "../nudging/nudging.js";
import { toldIn } from "../nudging/paths.js";
import { written } from "../numbers.js";
import { inNumbers } from "../say.js";
import { stillFrame } from "./act.js";
import { guidingInput } from "./nudge_steps.js";

export const MORE = / more times$/; // the formula of passes of a loop

/** @param {Run} run */
export function questionAct(run, player) {
  const parts = [], steps = []; // a step for each value; a part is left at once, unless the finer keys are used
  for (const part of run.question) {
    const each = part.computes.length ? part.computes : [null];
    parts.push({
      from: steps.length, to: steps.length + each.length - 1, label: part.label, variable: part.variable ?? undefined, weight: 1, part,
    });
    each.forEach((computed, k) => steps.push({ part, computed, whole: k === each.length - 1 }));
  }
  const guess = guessOf(run);
  if (guess) {
    parts.push({ from: steps.length, to: steps.length, label: "guess", weight: 1, part: guess });
    steps.push({ part: guess, computed: null, whole: true });
  }
  const order = steps.flatMap(({ computed }) => (computed ? [computed.variable] : []));
  const partOf = k => parts.findIndex(part => k <= part.to);

  // The values that are known at step k, and those that the step adds.
  const fresh = k => (steps[k].whole ? steps[k].part.computes.map(({ variable }) => variable) : [steps[k].computed.variable]);
  const known = k => new Set(steps.slice(0, k + 1).flatMap(({ computed }) => (computed ? [computed.variable] : [])));

  function frame(k) {
    const { part, computed, whole } = steps[k], found = known(k), now = fresh(k), first = k === 0;
    const still = stillFrame(run, "question", k);
    const into = new Set(now.flatMap(v => run.edgesInto[v])), given = part.label === "inputs" ? run.inputs : [];
    return {
      ...still,
      wayIn: ways => toldIn(ways, now.at(-1)) ?? still.wayIn(ways),
      part,
      words: parts.slice(0, partOf(k) + 1).flatMap(({ part: { words } }) => words),
      computed: whole && part.computes.length > 1 ? null : computed,
      said: part === guess ? guessText(run, guess) : whole ? run.sentence(part.said) : valueOf(run, computed),
      lit: new Set(first ? [run.asked, run.z] : [...now, ...given, ...(part === guess ? [guess.owner, run.z] : [])]),
      tags: new Map(
        first && run.asked !== run.z
          ? [[run.z, "grows by how much?"], [run.asked, "grows a little"]]
          : now.length === 1
            ? [[now[0], "new"]]
            : [],
      ),
      atWork: into,
      edges: into,
      flowing: true,
      valued: v => !first && (run.variables[v].function === null || found.has(v)),
      first,
      guess: part === guess ? guess : null,
      origin: part === guess ? guess.owner : undefined,
      pick: v => player.enter("question", run.variables[v].function === null ? 1 : steps.findIndex(step => step.computed?.variable === v)),
    };
  }

  return {
    title: "Question", about: "One question, and the numbers in it.",
    length: steps.length, parts, frame, order,
    next: k => (k < parts[partOf(k)].to ? parts[partOf(k)].to : parts[partOf(k) + 1]?.to ?? steps.length),
    back: k => parts[partOf(k) - 1]?.to ?? -1,
    finer: (k, direction) => k + direction,
  };
}

// "Let y = x² = 9."
function valueOf(run, { variable }) {
  const { written: name, formula, mathml, equation } = run.variables[variable], found = document.createDocumentFragment();
  if (MORE.test(equation)) found.append("Run the loop ", equation, ": ", run.formula(name));
  else found.append("Let ", run.formula(name), equals(), run.lines(formula));
  found.append(equals(), run.formula(mathml), ".");
  return found;
}

// The question at the end: the number of an input, and that number after the first nudge. Null if the page cannot compute the answer.
function guessOf(shown) {
  const run = inNumbers(shown);
  if (!run.live) return null;
  const k = guidingInput(run), input = run.live.inputs[k], before = run.live.start[k], place = new Place(run, run.live.start);
  if (input === run.z || !Number.isFinite(before) || !Number.isFinite(place.z)) return null;
  return { label: null, words: [], computes: [], input, owner: run.owner(input), after: tidy(before + place.usual(k)) };
}

function guessText(shown, { input, after }) {
  const run = inNumbers(shown), found = document.createDocumentFragment(), z = run.variables[run.z];
  const name = v => run.formula(run.variables[v].written);
  found.append(
    "Now the question has numbers. ", name(run.z), ` is ${z.text}. `,
    ...(run.whereIs ? [name(input), " is ", run.whereIs(input), ". "] : []), "What will ", name(run.z), " be when ", name(input),
    ` grows from ${run.variables[input].text} to ${written(after)}?`,
  );
  return found;
}
