// Python for a page: it runs in a worker.

import { fetchedWheel, keptWheel } from "./numpy.js";
import { partsIn } from "./parts.js";

/** @type {ReturnType<typeof startOf> | null} */
let starting = null; // what each worker starts with

async function startOf(folder) {
  const { names: [, , ...names], contents: [worker, wasm, ...files] } = await partsIn(folder);
  const program = await WebAssembly.compile(wasm); // once for all workers
  const given = Object.fromEntries(files.map((file, k) => [names[k], file])), offered = given["numpy.json"];
  const offer = offered && JSON.parse(new TextDecoder().decode(offered)), kept = offer && (await keptWheel(offer));
  if (kept) given["numpy.whl"] = kept;
  const address = URL.createObjectURL(new Blob([worker], { type: "text/javascript" }));
  return { address, offer, message: { kind: "start", program, files: given } };
}

// One worker. `hear` is called with each of its messages.
class PythonWorker {
  /** @type {(message: any) => void} */
  hear = () => {};
  /** @type {Worker | null} */
  worker = null;

  constructor(folder) {
    this.ready = this.begin(folder);
  }

  async begin(folder) {
    try {
      starting ??= startOf(folder);
      const { address, message } = await starting, worker = new Worker(address);
      this.worker = worker;
      return await /** @type {Promise<void>} */ (new Promise(resolve => {
        worker.onmessage = ({ data }) => (data.kind === "ready" ? resolve() : this.hear(data));
        worker.onerror = event => this.hear({ kind: "died", text: event.message });
        worker.postMessage(message);
      }));
    } catch (error) {
      this.hear({ kind: "absent", text: /** @type {Error} */ (error).message });
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
// `folder` is the address of the playground.
export class Python {
  number = 0; // of the program
  /** @type {PythonWorker | null} */
  spare = null;

  constructor(heard, folder) {
    this.heard = heard;
    this.folder = folder;
    this.take(new PythonWorker(folder));
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

  // Return where NumPy is, or null if this Python has it, or cannot have it.
  async numpyOffered() {
    const { offer, message } = await /** @type {ReturnType<typeof startOf>} */ (starting);
    return message.files["numpy.whl"] ? null : offer ?? null;
  }

  // Fetch NumPy, and start anew with it. Throws an error that says what to do, if it cannot be had.
  async takeNumpy() {
    const { offer, message } = await /** @type {ReturnType<typeof startOf>} */ (starting);
    message.files["numpy.whl"] = await fetchedWheel(offer);
    this.spare?.end();
    this.spare = null;
    this.renew();
  }

  warm() {
    this.spare ??= new PythonWorker(this.folder);
  }

  renew() {
    this.number += 1;
    this.worker.end();
    const next = this.spare ?? new PythonWorker(this.folder);
    this.spare = null;
    this.take(next);
  }
}
