// Act 3: the backward pass, step by step.
/** @param {Run} run */
export const backwardAct = run => ({
  title: "Backward",
  about: `Find all derivatives in one walk back from ${run.variables[run.z].name}.`,
  length: run.steps.length,
  parts: run.parts.map((part, k) => ({ ...part, label: part.iteration ? null : k ? run.endMark : "start" })),
  frame: i => run.frame(i),
});
