// Numbers as text, as all figures write them.

const signed = text => text.replaceAll("-", "−");

// Return a number with at most so many significant digits, without an exponent.
export const digits = (number, most = 4) => signed(String(Number(number.toPrecision(most))));

// Return a number with at most two digits behind the point, and three in all.
export const two = number => digits(Number(number.toFixed(2)) || 0, 3);

// Return an integer with commas between its thousands.
export const thousands = number => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

export const plus = number => (number < 0 ? "" : "+") + digits(number);

export const clamp = (number, low, high) => Math.min(high, Math.max(low, number));

// Return how far a place is on the way between two others, from 0 to 1; near an end, the end.
export function alongTrack(place, { from, to }) {
  const t = clamp((place - from) / (to - from), 0, 1);
  return t < 0.03 ? 0 : t > 0.97 ? 1 : t;
}

// Return a number with so many digits, and with an exponent if it is very small or large.
export function brief(number, most = 2) {
  const isPlain = !number || (Math.abs(number) >= 0.001 && Math.abs(number) < 10000);
  return isPlain ? digits(number, most) : signed(number.toExponential(most - 1));
}

// Return a function that gives numbers between −1 and 1, which look like random ones and are the same everywhere.
export function dice(seed) {
  let last = seed;
  return () => {
    last = (1664525 * last + 1013904223) % 2 ** 32;
    return last / 2 ** 31 - 1;
  };
}
