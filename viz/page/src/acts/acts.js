// The acts of the page, in their order.

import { backwardAct } from "./backward.js";
import { nudgeAct } from "./nudge.js";
import { questionAct } from "./question.js";
import { useAct } from "./use.js";

export const ACTS = { question: questionAct, nudge: nudgeAct, backward: backwardAct, use: useAct };

// Return an act with all its fields.
/** @param {Run} run */
export const makeAct = (name, run, player) => {
  const act = { name, next: k => k + 1, back: k => k - 1, about: "", ...ACTS[name](run, player) };
  act.length ??= act.steps.length;
  act.parts ??= act.steps.map((step, k) => ({ from: k, to: k, label: step.name }));
  act.partOf = k => act.parts.findIndex(part => k <= part.to);
  return act;
};

// What the address calls a step of an act: #step=28 of the backward pass, #question=3.
export const addressOf = name => (name === "backward" ? "step" : name);
