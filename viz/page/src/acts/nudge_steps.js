// The guided steps of a nudge, made from the graph: steps that do not apply are left out.

import { tidy } from "../nudging/nudging.js";
import { leadingPaths } from "../nudging/paths.js";
import { say } from "../say.js";
import { nudgeQuestion } from "./nudge_question.js";

// Return [{name, k, h, paths, only, question, say()}]: input k is nudged by h; `paths` is whether the step is about paths, and `only` the
// number of the path that is shown alone.
/** @typedef {{ name: any, k: number, h: number, say: () => any, paths?: boolean, only?: number, question?: any }} NudgeStep */

/** @param {Run} run @returns {NudgeStep[]} */
export function nudgeSteps(run, place, told) {
  const k = guidingInput(run), v = run.live.inputs[k], h = place.usual(k), way = leadingPaths(run, place.partials, v);
  const { paths, count, example } = way;
  const long = paths.findIndex(path => String(path) === String(example));
  const direct = Math.max(paths.findIndex(path => path.length === 1), 0), question = nudgeQuestion(run, place, k);
  const { kind } = place.behaviour(k), finite = !["input", "value"].includes(kind);
  const step = (name, said, more = {}) => ({ name, k, h, say: said, ...more });
  return [
    step(say`nudge ${run.formula(run.variables[v].written)}`, () => told.first(k)),
    ...(paths[0].length && finite
      ? [step("one arrow", () => told.arrow(paths[direct]), { paths: true, only: paths[direct].length === 1 ? direct : undefined })]
      : []),
    ...(long >= 0 && finite
      ? [step("one path", () => told.path(k, paths[long], count), { paths: true, only: count > 1 ? long : undefined })]
      : []),
    ...(count > 1 && finite ? [step("all paths", () => told.paths(k, way), { paths: true })] : []),
    ...(finite ? [step("smaller", () => told.smaller(k), kind === "smooth" ? { h: tidy(h / 10) } : {})] : []),
    ...(question ? [step("your turn", () => told.question(question), { k: question.k, h: 0, question })] : []),
    step("and so?", () => told.last(), question ? { k: question.k, h: question.amount } : {}),
  ];
}

// The input that the guided steps nudge: that of the question, as in act 1.
/** @param {Run} run */
export const guidingInput = run => Math.max(0, run.live.inputs.indexOf(run.asked));
