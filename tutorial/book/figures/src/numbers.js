// Numbers as text, as all figures write them.

const signed = text => text.replace("-", "−");

// Return a number with at most so many significant digits, without an exponent.
export const digits = (number, most = 4) => signed(String(Number(number.toPrecision(most))));

// Return an integer with commas between its thousands.
export const thousands = number => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

export const plus = number => (number < 0 ? "" : "+") + digits(number);

export const clamp = (number, low, high) => Math.min(high, Math.max(low, number));
