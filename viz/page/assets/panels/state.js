// The rest of a schedule's state: its queue, or its tape.
panels.state = (root, run) => {
  const tape = run.steps[0].tape, queue = ["ready", "ordering"].find(name => run.keeps.includes(name));
  const name = place => html("span", { class: "item" }, run.formula(place));
  return {
    show(frame) {
      root.hidden = frame[queue] === undefined && !tape;
      if (root.hidden) return;
      if (tape) {
        root.replaceChildren("tape ", ...tape.map(name));
        const here = root.children[frame.place];
        here?.classList.add("now");
        if (here) keepInMiddle(root, here);
      } else {
        root.replaceChildren(`${queue} `, ...(frame[queue].length ? frame[queue].map(v => name(run.variables[v].written)) : [html("span", { class: "item none" }, "empty")]));
      }
    },
  };
};
