// What the browser keeps of the reader's predictions, programs and progress.

const KEPT = "gradsteps.book";
export const TYPED = " edited"; // the end of the keys of programs

export const kept = {
  read() {
    try {
      return JSON.parse(localStorage[KEPT] ?? "{}");
    } catch {
      return {}; // this browser keeps nothing
    }
  },
  write(key, value) {
    keep({ ...this.read(), [key]: value });
  },
  // Forget what the reader has done. Programs that the reader typed stay.
  forget() {
    keep(Object.fromEntries(Object.entries(this.read()).filter(([key]) => key.endsWith(TYPED))));
  },
};

function keep(all) {
  try {
    localStorage[KEPT] = JSON.stringify(all);
  } catch {
    // nothing is kept, and nothing else is lost
  }
}
