// Keys, buttons, the slider, touch, the address: everything that moves the player or changes its looks.

const SMALLEST = 0.6, LARGEST = 2, STEP = 1.1; // of the text
const SWIPE = 60; // pixels
const THEMES = ["auto", "light", "dark"];

function connect(player, { predict, stops, code, settings }) {
  const theme = () => {
    const next = THEMES[(THEMES.indexOf(document.body.dataset.theme) + 1) % THEMES.length];
    document.body.dataset.theme = next;
    find("#theme").textContent = `theme: ${next}`;
  };
  const speak = language => {
    code.language = settings.language = language;
    find("#lang").textContent = language === "python" ? "show pseudocode" : "show Python";
  };
  const language = () => {
    speak(code.language === "pseudocode" ? "python" : "pseudocode");
    player.refresh();
  };
  let scale = 1;
  const size = factor => {
    scale = Math.min(LARGEST, Math.max(SMALLEST, scale * factor));
    document.documentElement.style.setProperty("--scale", scale.toFixed(3));
    dispatchEvent(new Event("resize"));
  };
  const predicting = () => {
    predict.toggle();
    settings.predict = predict.on;
    find("#predict").setAttribute("aria-pressed", predict.on);
  };
  const togglePredict = () => {
    predicting();
    player.askHere();
  };
  const stop = () => {
    const node = document.activeElement?.closest?.(".node");
    if (node) stops.toggle(+node.id.split("-").at(-1));
    else stops.open();
  };
  const help = () => find("#keys").showModal();

  const actions = {
    "#first": player.first, "#prev-iter": player.previousIteration, "#back": player.back, "#next": player.next, "#next-iter": player.nextIteration,
    "#last": player.last, "#play": player.play, "#predict": togglePredict, "#forward": player.toggleForward, "#theme": theme, "#help": help, "#lang": language, "#stops": stops.open,
  };
  for (const [button, action] of Object.entries(actions)) find(button).addEventListener("click", () => action());
  find("#slider").addEventListener("input", event => player.seek(event.target.value - 1));
  find("#slider").addEventListener("pointerup", event => event.target.blur()); // who has a mouse has the keys of the page
  find("#stop-dialog").addEventListener("close", event => event.target.returnValue === "run" && player.seek(stops.next(player.step - 1)));

  const keys = {
    ArrowRight: player.next, PageDown: player.next, ArrowLeft: player.back, PageUp: player.back, ArrowDown: player.nextIteration, ArrowUp: player.previousIteration,
    Home: player.first, End: player.last, " ": player.play, p: player.play, q: togglePredict, f: player.toggleForward, b: stop, d: () => find("#difference")?.click(), c: language, t: theme,
    "+": () => size(STEP), "=": () => size(STEP), "-": () => size(1 / STEP), "?": help,
  };
  listen("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || find("dialog[open]")) return;
    if (event.key === "Escape" && predict.asking) return predict.dismiss();
    if (event.target.id === "answer" || (event.target.id === "slider" && /^Arrow(Up|Down)$/.test(event.key))) return;
    const action = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (!action || (event.key === " " && event.target.closest("button, summary, .node"))) return;
    event.preventDefault();
    action();
  });

  speak(settings.language);
  if (settings.predict) predicting();

  let start = null;
  const graph = find("#graph-panel");
  graph.addEventListener("pointerdown", event => (start = event.pointerType === "touch" ? event : null));
  graph.addEventListener("pointerup", event => {
    const moved = start ? event.clientX - start.clientX : 0;
    if (Math.abs(moved) > SWIPE) (moved < 0 ? player.next : player.back)();
    start = null;
  });
  listen("beforeprint", () => {
    find("#transcript").open = true;
    player.showEnd();
  });
  listen("afterprint", () => {
    find("#transcript").open = false;
    player.refresh();
  });
}
