// The rest of a schedule's state: its queue, or its tape.
panels.state = (root, run) => {
  const tape = run.steps[0].tape;
  const name = place => html("span", { class: "item" }, run.formula(place));
  return {
    show(frame) {
      root.hidden = frame.ready === undefined && !tape;
      if (root.hidden) return;
      if (tape) {
        root.replaceChildren("tape ", ...tape.map(name));
        const here = root.children[frame.place];
        here?.classList.add("now");
        if (here) keepInMiddle(root, here);
      } else {
        root.replaceChildren("ready ", ...(frame.ready.length ? frame.ready.map(v => name(run.variables[v].written)) : [html("span", { class: "item none" }, "empty")]));
      }
    },
  };
};
