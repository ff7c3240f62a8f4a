// Python for a page: it runs in a worker. Its parts stand in the page, or in scripts beside this one, which are loaded at its first start.

const HERE = new URL(".", document.currentScript?.src || location.href);
const waiting = new Map(); // the parts that are being loaded: what to call with their text

function part(name, text) {
  waiting.get(name)(text); // each script beside this one calls this
}

function textOf(name) {
  const element = document.querySelector(`[data-part="${name}"]`);
  if (element) return element.textContent;
  return new Promise((resolve, reject) => {
    waiting.set(name, resolve);
    const script = document.createElement("script");
    script.src = new URL(`${name}.js`, HERE);
    script.onerror = () => reject(new Error(`the file ${name}.js is not in the folder of the playground`));
    script.onload = () => script.remove();
    document.head.append(script);
  });
}

function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text);
  const found = new Uint8Array(letters.length);
  for (let k = 0; k < letters.length; k += 1) found[k] = letters.charCodeAt(k);
  return found;
}

async function unpacked(name) {
  const packed = new Blob([bytesOf(await textOf(name))]);
  return new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

// One worker. `hear` is called with each of its messages.
class PythonWorker {
  static async load() {
    const [worker, wasm, ...files] = await Promise.all(PARTS.map(unpacked)); // the page's head names the parts
    const program = await WebAssembly.compile(wasm); // once for all workers
    const address = URL.createObjectURL(new Blob([worker], { type: "text/javascript" }));
    return { address, start: { kind: "start", program, files: Object.fromEntries(files.map((file, k) => [PARTS[k + 2], file])) } };
  }

  constructor(hear) {
    this.hear = hear;
    PythonWorker.parts ??= PythonWorker.load();
    this.ready = this.begin();
  }

  async begin() {
    try {
      const { address, start } = await PythonWorker.parts;
      this.worker = new Worker(address);
      return await new Promise(resolve => {
        this.worker.onmessage = ({ data }) => (data.kind === "ready" ? resolve() : this.hear(data));
        this.worker.onerror = event => this.hear({ kind: "died", text: event.message });
        this.worker.postMessage(start);
      });
    } catch (error) {
      this.hear({ kind: "absent", text: error.message });
      return new Promise(() => {}); // never ready
    }
  }

  async end() {
    this.hear = () => {};
    await Promise.race([this.ready, new Promise(resolve => setTimeout(resolve))]);
    this.worker?.terminate();
  }
}

// One worker works. After the first program another is warm, so that a stopped program does not cost the time of a start.
// `heard` has a function for each kind of message. Messages of a program that was stopped do not arrive.
class Python {
  number = 0; // of the program

  constructor(heard) {
    this.heard = heard;
    this.take(new PythonWorker(() => {}));
  }

  take(worker) {
    this.worker = worker;
    worker.hear = message => {
      if (message.number === undefined || message.number === this.number) this.heard[message.kind]?.(message);
    };
    this.ready = worker.ready.then(() => this.worker === worker && this.heard.ready?.());
  }

  async ask(message) {
    const { number, worker } = this;
    await worker.ready;
    worker.worker.postMessage({ number, ...message });
  }

  run(message) {
    this.number += 1;
    return this.ask(message);
  }

  warm() {
    this.spare ??= new PythonWorker(() => {});
  }

  renew() {
    this.number += 1;
    this.worker.end();
    const next = this.spare ?? new PythonWorker(() => {});
    this.spare = null;
    this.take(next);
  }
}
