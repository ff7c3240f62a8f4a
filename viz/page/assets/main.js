// The player: the step that is shown, and the moves between steps.

const PACE = 1800; // milliseconds between steps while it plays

// Make a panel for each element of the page that names one: panels.graph(element, run, player) returns { show(frame), ... }.
const makePanels = (run, player) =>
  Object.fromEntries(all("[data-panel]").map(root => [root.dataset.panel, panels[root.dataset.panel](root, run, player)]));

// `settings` survive a zoom: the language of the algorithm, and whether the user predicts.
function makePlayer(run, settings) {
  let act = "backward", at = 0, elsewhere = 0; // `elsewhere` is the step in the other act
  const player = {
    run,
    // Show the iteration of a variable, or its function in the forward pass.
    pick(v) {
      if (act === "forward") return seek(1 + run.forward.findIndex(step => step.variable === v));
      const part = run.parts.find(part => part.iteration && part.variable === v);
      seek(part ? part.from : run.steps.length - 1);
    },
  };
  const shown = makePanels(run, player), { first: difference } = shown.comparison;
  const predict = makePredict(find("#ask"), run, seek);
  const stops = makeStops(find("#stop-dialog"), run, marked => {
    shown.graph.markStops(marked);
    shown.bar.markStops(marked);
  });
  const clock = makeClock(() => {
    next();
    return act === "forward" || !(at === count() - 1 || stops.isStop(at) || at === difference || predict.asking);
  });

  const count = () => (act === "forward" ? run.forward.length + 1 : run.steps.length);

  function show(frame = act === "forward" ? run.forwardFrame(at) : run.frame(at)) {
    for (const panel of Object.values(shown)) panel.show(frame);
    settle();
    if (document.body.dataset.act !== frame.act) document.body.dataset.act = frame.act;
    find("#forward").setAttribute("aria-pressed", frame.act === "forward");
    player.frame = frame;
  }

  // Go to a step, counted from 0. Steps between ask no question; a step that shows an answer asks for it first.
  function seek(i, { address = true } = {}) {
    at = Math.max(0, Math.min(count() - 1, Math.trunc(i) || 0));
    predict.close();
    const question = act === "backward" ? predict.before(at) : undefined;
    if (question !== undefined) at = question - 1;
    show();
    if (address) writeAddress(`#${run.address ?? ""}${act === "forward" ? "forward" : "step"}=${at + 1}`);
    if (question !== undefined) predict.ask(question);
    else if (act === "backward" && at === count() - 1) predict.conclude();
  }

  // Start predict mode: ask at once for what the next step shows.
  function askHere() {
    seek(at);
    if (act === "backward" && !predict.asking && predict.between(at, at + 1) !== undefined) predict.ask(at + 1);
  }

  // Go to a later step, but not past the first difference to another trace, nor past the next question in predict mode.
  function forwards(i) {
    if (act === "backward" && at < difference && difference < i) i = difference;
    const question = act === "backward" ? predict.between(at, i) : undefined;
    if (question === undefined) return seek(i);
    clock.stop();
    if (at !== question - 1) seek(question - 1);
    predict.ask(question);
  }

  function next() {
    if (act === "forward" && at === count() - 1) return enter("backward", 0);
    if (at < count() - 1) forwards(at + 1);
  }

  // The end of the forward pass comes before the first step of the backward pass.
  function back() {
    if (act === "backward" && at === 0) return enter("forward", run.forward.length);
    seek(at - 1);
  }

  function nextIteration() {
    if (act === "forward") return next();
    const part = run.parts[run.partOf(at) + 1];
    forwards(part ? part.from : at);
  }

  function previousIteration() {
    if (act === "forward") return seek(at - 1);
    const here = run.partOf(at), { from } = run.parts[here];
    seek(at > from || here === 0 ? from : run.parts[here - 1].from);
  }

  function enter(name, i) {
    act = name;
    seek(i);
  }

  function toggleForward() {
    const here = at;
    enter(act === "forward" ? "backward" : "forward", act === "forward" ? elsewhere : 0);
    elsewhere = here;
  }

  function play() {
    if (!clock.running && act === "backward" && at === count() - 1) seek(0);
    clock.toggle();
  }

  function followAddress() {
    const found = /(step|forward)=(\d+)/.exec(location.hash);
    if (found) act = found[1] === "forward" ? "forward" : "backward";
    seek(found ? found[2] - 1 : 0, { address: false });
  }

  const moves = {
    next, back, nextIteration, previousIteration, seek, toggleForward,
    first: () => seek(0),
    last: () => seek(count() - 1),
    go: n => seek(n - 1), // steps count from 1, as on the page
    showEnd: () => show(run.frame(run.steps.length - 1)), // for print; the step stays
  };
  for (const [name, move] of Object.entries(moves)) player[name] = (...given) => { clock.stop(); move(...given); };
  Object.defineProperties(player, Object.getOwnPropertyDescriptors({
    play, followAddress, askHere,
    pause: clock.stop,
    refresh: () => show(),
    get step() { return at + 1; },
    get steps() { return count(); },
    get state() { return { act, ...player.frame }; },
  }));
  connect(player, { predict, stops, code: shown.code, settings });
  followAddress();
  return player;
}

// Call `tick` at once and then every PACE milliseconds, until it returns false.
function makeClock(tick) {
  let timer = null;
  function set(found) {
    clearInterval(timer);
    timer = found;
    find("#play").setAttribute("aria-pressed", timer !== null);
    find("#play span").textContent = timer === null ? "play" : "pause";
  }
  const stop = () => set(null);
  const step = () => tick() || stop();
  return {
    stop,
    get running() { return timer !== null; },
    toggle() {
      if (timer !== null) return stop();
      set(setInterval(step, PACE));
      step();
    },
  };
}

// A sandboxed frame refuses a change of its address.
function writeAddress(hash) {
  try {
    history.replaceState(null, "", hash);
  } catch {
    return;
  }
}

function begin(text) {
  document.body.classList.remove("still");
  find("#picture").remove();
  find("#transcript").open = false;
  startPlayers(JSON.parse(text));
  document.fonts.ready.then(() => dispatchEvent(new Event("resize"))); // measure again what was measured in another font
}

// Long data is compressed. Until it is unpacked, or if the browser cannot unpack it, the page stays as it is without scripts.
function unpack(base64) {
  const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
}

const { type, textContent } = find("#data");
if (type === "application/json") begin(textContent);
else unpack(textContent).then(begin);
