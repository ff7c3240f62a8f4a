// The sentences of a step, and how far the run has come.
panels.narration = (root, run) => {
  const [title, count] = find("#iteration", root).children, where = find("#where", root), said = find("#narration", root);
  const iterations = Math.max(...run.steps.map(step => step.iteration));
  let here = null; // the text of `where`
  return {
    show(frame) {
      if (frame.act === "forward") return sayForward(frame);
      const { iteration, act } = frame.step;
      title.textContent = iteration ? "iteration" : act === "done" ? "the end" : "before";
      count.textContent = iteration ? `${iteration} of ${iterations}` : act === "done" ? run.endMark : "the loop";
      root.classList.toggle("looping", iteration > 0);
      if (here !== frame.step.where) where.replaceChildren(run.sentence(here = frame.step.where)); // a screen reader reads the paragraph again whenever it changes
      said.replaceChildren(run.sentence(frame.step.said));
    },
  };

  function sayForward({ i, forwardStep }) {
    title.textContent = "forward";
    count.textContent = i ? `${i} of ${run.forward.length}` : "inputs";
    root.classList.add("looping");
    here = null;
    where.replaceChildren("The forward pass computes values from the inputs to ", run.formula(run.variables[run.z].written), ".");
    if (!forwardStep) return void (said.textContent = "Each input has its given value.");
    const { written, formula, mathml } = run.variables[forwardStep.variable];
    said.replaceChildren("Let ", run.formula(written), equals(), run.lines(formula), equals(), run.formula(mathml), ".");
  }
};
