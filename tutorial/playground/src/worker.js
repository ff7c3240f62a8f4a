// Python in a worker. The page sends {kind: "start", files, program: the compiled Python}, then {kind: "run" | "compare", number, text}
// {kind: "cell", number, text, name, shows}, {kind: "exercise", number, text, exercise, seen} and {kind: "page", number, name}.
// The worker answers with {kind: "progress" | "ready" | "print" | "trying" | "ended" | "page" | "died", number, ...}.

// In the same script, tutorial/playground/build.py has put before this: Pyodide, its lock file LOCK, and the layout engine Viz.

const STACK = 96 * 1024; // bytes of Python's memory for calls in C. At 150 KB every recursion ended as it should, at 200 not in Chromium
const HERE = "file:///python/"; // no such place: every file comes from the page
const files = new Map();
self.fetch = async url => new Response(files.get(String(url).split("/").pop()));

let python, runner, number;
const tell = (kind, more) => self.postMessage({ kind, number, ...more });

const plain = dictionary => dictionary.toJs({ dict_converter: Object.fromEntries });

// Let recursion through functions in C raise RecursionError: Python knows the 10 MB of its memory's stack, but not the browser's own
// stack, which is full sooner and ends it.
function limitStack(wasm) {
  const end = wasm._emscripten_stack_get_base();
  wasm._PyUnstable_ThreadState_SetStackProtection(wasm._PyThreadState_Get(), end - STACK, STACK);
}

const asked = {
  async start(message) {
    for (const [name, content] of Object.entries(message.files)) files.set(name, content);
    files.set("python_stdlib.zip", files.get("stdlib.zip"));
    const module = /** @type {WebAssembly.Module} */ (message.program);
    WebAssembly.instantiateStreaming = async (_, imports) => ({ module, instance: await WebAssembly.instantiate(module, imports) });
    tell("progress", { text: "Python starts …" });
    const [started, graphviz] = await Promise.all([
      loadPyodide({ indexURL: HERE, createPyodideModule: _createPyodideModule, lockFileContents: LOCK, env: { HOME: "/home" } }),
      Viz.instance(),
    ]);
    python = started;
    limitStack(python._module);
    tell("progress", { text: "The engine starts …" });
    python.unpackArchive(files.get("packages.zip"), "zip");
    if (files.has("numpy.whl")) python.unpackArchive(files.get("numpy.whl"), "wheel");
    files.clear();
    python.pyimport("viz.drawing.svg.graphviz_engine").lay_out_with((source, format) => graphviz.renderString(source, { format }));
    runner = python.pyimport("tutorial.playground.runner");
    tell("ready");
  },
  run({ text }) {
    tell("ended", plain(runner.run(text, printed => tell("print", { text: printed }))));
  },
  compare({ text }) {
    const print = printed => tell("print", { text: printed });
    const comparing = python.pyimport("tutorial.playground.comparing"); // which few programs need
    tell("ended", plain(comparing.compared(text, print, program => tell("trying", { text: program }))));
  },
  cell({ text, name, shows }) {
    const cells = python.pyimport("tutorial.playground.cells");
    tell("ended", plain(cells.run(text, name, shows, printed => tell("print", { text: printed }))));
  },
  exercise({ text, exercise, seen }) {
    const practice = python.pyimport("tutorial.playground.practice");
    tell("ended", plain(practice.checked(exercise, text, seen, printed => tell("print", { text: printed }))));
  },
  page({ name }) {
    tell("page", { name, ...plain(runner.page_of(name)) });
  },
};

self.onmessage = async ({ data }) => {
  number = data.number;
  try {
    await asked[data.kind](data);
  } catch (wrong) {
    const error = /** @type {Error} */ (wrong);
    tell(error.constructor.name === "PythonError" ? "failed" : "died", { text: String(error.message ?? error) });
  }
};
