// A program that needs NumPy asks the reader first, if the playground beside the book has none.

import { button } from "../../playground/src/button.js";
import { hostOf } from "../../playground/src/numpy.js";

// Do `go` at once if Python has NumPy, else when the reader has let the page fetch it.
export async function withNumpy(python, bar, go) {
  const offer = await python.numpyOffered();
  if (!offer) return go();
  const fetches = button(`fetch NumPy from ${hostOf(offer)}`, { title: "once, a few megabytes; this browser keeps it" }, async () => {
    bar.ask("NumPy is fetched …");
    try {
      await python.takeNumpy();
      bar.ask();
      go();
    } catch (error) {
      bar.ask(/** @type {Error} */ (error).message, " ", fetches);
    }
  });
  bar.ask("This program needs NumPy, which is not beside this book. ", fetches);
}
