// The sentences of a step, and how far the run has come.
panels.narration = (root, run, player) => {
  const [title, count] = find("#iteration", root).children, where = find("#where", root), said = find("#narration", root);
  const iterations = Math.max(...run.steps.map(step => step.iteration));
  let here = null; // the text of `where`
  return {
    show(frame) {
      if (frame.said !== undefined) return say(frame);
      const { iteration, act } = frame.step;
      title.textContent = iteration ? "iteration" : act === "done" ? "the end" : "before";
      count.textContent = iteration ? `${iteration} of ${iterations}` : act === "done" ? run.endMark : "the loop";
      root.classList.toggle("looping", iteration > 0);
      if (here !== frame.step.where) where.replaceChildren(run.sentence(here = frame.step.where)); // a screen reader reads the paragraph again whenever it changes
      said.replaceChildren(run.sentence(frame.step.said));
    },
  };

  // The sentence of an act that is not the backward pass.
  function say({ act, i, said: text }) {
    const { title: name, parts, partOf } = player.acts[act];
    title.textContent = name;
    count.textContent = `${partOf(i) + 1} of ${parts.length}`;
    root.classList.add("looping");
    where.textContent = here = "";
    said.replaceChildren(text);
  }
};
