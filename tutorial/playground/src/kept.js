// The program is kept through a reload, and for the next visit.

const KEPT = "gradsteps.playground";

export function keptProgram() {
  try {
    return sessionStorage.getItem(KEPT) ?? localStorage.getItem(KEPT);
  } catch {
    return null; // this browser keeps nothing for files
  }
}

export function keepProgram(text) {
  try {
    sessionStorage.setItem(KEPT, text);
    localStorage.setItem(KEPT, text);
  } catch {
    // nothing is kept, and nothing else is lost
  }
}
