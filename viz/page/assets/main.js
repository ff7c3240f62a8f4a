// The player: which step is shown, and how one moves between steps.

const PACE = 1800; // milliseconds between steps when it plays by itself

// `kept` is what stays as it was set when one zooms: the language of the algorithm, whether one predicts.
function makePlayer(run, kept) {
  let act = "backward", at = 0, elsewhere = 0, timer = null; // `elsewhere` is where the other act was left
  const player = {};
  const pick = v => {
    if (act === "forward") return seek(1 + run.forward.findIndex(firing => firing.variable === v));
    const part = run.parts.find(part => part.iteration && part.variable === v);
    seek(part ? part.from : run.steps.length - 1);
  };
  const canvas = svg("svg", { id: "graph", role: "group", "aria-label": "computation graph" });
  find("#graph-panel").prepend(canvas);
  const graph = makeGraph(canvas, run, pick);
  const code = makeCode(find("#code"), run);
  const bar = makeBar(find("#bar"), find("#slider"), find("#step"), run);
  const panels = [graph, code, bar, makeNarration(find("#said"), run), makeEquation(find("#equation"), run),
    makeComputed(find("#computed"), find("#computed-title"), run), makeState(find("#state"), run), makeOverview(find("#overview"), run, pick)];
  const beside = makeBeside(run, { go: i => player.seek(i) });
  panels.push(beside, makeZoomMarks(run));
  const predict = makePredict(find("#ask"), run, seek);
  const stops = makeStops(find("#stop-dialog"), run, marked => {
    graph.markStops(marked);
    bar.markStops(marked);
  });

  const count = () => (act === "forward" ? run.forward.length + 1 : run.steps.length);

  function show(frame = act === "forward" ? run.forwardFrame(at) : run.frame(at)) {
    panels.forEach(panel => panel.show(frame));
    settle();
    if (document.body.dataset.act !== frame.act) document.body.dataset.act = frame.act;
    find("#forward").setAttribute("aria-pressed", frame.act === "forward");
    player.frame = frame;
  }

  // Straight to a step, from 0; nothing is asked on the way, but an answer that stands there is asked for first.
  function seek(i, { address = true } = {}) {
    at = Math.max(0, Math.min(count() - 1, Math.trunc(i) || 0));
    predict.close();
    const question = act === "backward" ? predict.before(at) : undefined;
    if (question !== undefined) at = question - 1;
    show();
    if (address) writeAddress(`#${run.address ?? ""}${act === "forward" ? "forward" : "step"}=${at + 1}`);
    if (question !== undefined) predict.ask(question);
  }

  // Where predict mode begins: what the next step would tell is asked at once.
  function askHere() {
    seek(at);
    if (act === "backward" && !predict.asking && predict.between(at, at + 1) !== undefined) predict.ask(at + 1);
  }

  // On to a later step; in predict mode only as far as the next question.
  function forwards(i) {
    if (act === "backward" && at < beside.first && beside.first < i) i = beside.first; // where another trace differs, it stops
    const question = act === "backward" ? predict.between(at, i) : undefined;
    if (question === undefined) return seek(i);
    pause();
    if (at !== question - 1) seek(question - 1);
    predict.ask(question);
  }

  function next() {
    if (act === "forward" && at === count() - 1) return enter("backward", 0);
    if (at < count() - 1) forwards(at + 1);
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

  function pause() {
    clearInterval(timer);
    timer = null;
    showPlaying();
  }

  function showPlaying() {
    find("#play").setAttribute("aria-pressed", timer !== null);
    find("#play span").textContent = timer === null ? "play" : "pause";
  }

  function play() {
    if (timer !== null) return pause();
    if (act === "backward" && at === count() - 1) seek(0);
    timer = setInterval(tick, PACE);
    showPlaying();
    tick();
  }

  function tick() {
    next();
    if (timer !== null && act === "backward" && (at === count() - 1 || stops.isStop(at) || at === beside.first || predict.asking)) pause();
  }

  // In a sandboxed frame the address cannot be changed.
  function writeAddress(hash) {
    try {
      history.replaceState(null, "", hash);
    } catch {
      return;
    }
  }

  function followAddress() {
    const found = /(step|forward)=(\d+)/.exec(location.hash);
    if (found) act = found[1] === "forward" ? "forward" : "backward";
    seek(found ? found[2] - 1 : 0, { address: false });
  }

  // Before the first step of the way back stands the end of the way there.
  function back() {
    if (act === "backward" && at === 0) return enter("forward", run.forward.length);
    seek(at - 1);
  }

  const moves = { first: () => seek(0), last: () => seek(count() - 1), back, next, nextIteration, previousIteration };
  for (const [name, move] of Object.entries(moves)) player[name] = () => { pause(); move(); };
  Object.defineProperties(player, Object.getOwnPropertyDescriptors({
    play, pause, followAddress,
    seek: i => { pause(); seek(i); },
    refresh: () => show(),
    // For paper: the end stands there, while the reader stays at the step.
    showEnd: () => { pause(); show(run.frame(run.steps.length - 1)); },
    toggleForward: () => { pause(); toggleForward(); },
    askHere,
    // For tests and links: steps count from 1, as on the page.
    go: n => { pause(); seek(n - 1); },
    get step() { return at + 1; },
    get steps() { return count(); },
    get state() { return { act, ...player.frame }; },
  }));
  connect(player, { predict, stops, code, kept });
  followAddress();
  return player;
}

function begin(text) {
  document.body.classList.remove("still");
  find("#picture").remove();
  find("#transcript").open = false;
  startPlayers(JSON.parse(text));
  document.fonts.ready.then(() => dispatchEvent(new Event("resize"))); // what was measured in another font
}

// Long data is compressed; until it is unpacked, or where the browser cannot, the page stands as it does without scripts.
function unpack(base64) {
  const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
}

const { type, textContent } = find("#data");
if (type === "application/json") begin(textContent);
else unpack(textContent).then(begin);
