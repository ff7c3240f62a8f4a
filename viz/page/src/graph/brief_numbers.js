// Numbers in the boxes of the graph, as short as their room.

import { digits } from "../say.js";

export function inRoom(text, number, letters) {
  for (let count = 5; text.length > letters && count > 0; count--) text = digits(number, count);
  return text;
}

// Return a number as a box shows it: a compact box shows four digits. box_sizes.py (written) does the same.
export function briefly(text, look) {
  if (!look.compact) return text;
  const found = text.replace(/^(−?)(\d+\.\d+)/, (_, sign, size) => sign + Number(size).toPrecision(Math.max(4, size.indexOf("."))));
  return found.length < text.length ? found : text;
}
