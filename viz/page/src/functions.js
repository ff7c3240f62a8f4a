// The functions of the table of rules that are not formulas in other rows, on JavaScript's numbers. They give what Python's rows give:
// inf and nan where a function has no finite value, and never an error. viz/page/live/program.py writes formulas that call them.

const {
  acos, acosh, asin, asinh, atan, atan2, atanh, cbrt, cos, cosh, exp, expm1, hypot, log, log10, log1p, log2, sin, sinh, sqrt, tan, tanh,
} = Math;

// IEEE 754 says that 1 to any power is 1, and −1 to an infinite power too. JavaScript says nan.
const pow = (a, b) => (a === 1 || (a === -1 && Math.abs(b) === Infinity) ? 1 : a ** b);

// The series e^(−x²) · Σ 2ⁿ x^(2n+1) / (1·3·…·(2n+1)) has positive terms only, so nothing cancels. Beyond 6 the result rounds to ±1.
function erf(x) {
  if (!(Math.abs(x) < 6)) return sign(x);
  let sum = x, term = x;
  for (let n = 1; Math.abs(term) > Math.abs(sum) * Number.EPSILON / 4; n++) sum += term *= (2 * x * x) / (2 * n + 1);
  return (2 / sqrt(Math.PI)) * exp(-x * x) * sum;
}

// Rounding gives integers, whose zero has no sign.
const unsigned = round => x => round(x) + 0;

function halfToEven(x) {
  const up = Math.round(x);
  return up - x === 0.5 && up % 2 ? up - 1 : up;
}

const sign = x => (x > 0 ? 1 : x < 0 ? -1 : x === 0 ? 0 : x);
const isNegative = x => x < 0 || Object.is(x, -0);
const copysign = (a, b) => (isNegative(b) ? -Math.abs(a) : Math.abs(a));

// The remainder has the sign of b.
function remainder(a, b) {
  const rest = a % b;
  return rest === 0 ? copysign(0, b) : rest < 0 !== b < 0 ? rest + b : rest;
}

// The quotient is rounded down. It is computed from the remainder, because a / b may round up to an integer.
function floor_divide(a, b) {
  if (b === 0) return a / b;
  const rest = a % b, quotient = (a - rest) / b - (rest !== 0 && rest < 0 !== b < 0 ? 1 : 0), whole = Math.floor(quotient);
  return quotient === 0 ? copysign(0, a / b) : quotient - whole > 0.5 ? whole + 1 : whole;
}

// Return the partials of variable y for the inputs of a statement. For each operation the tape has [place of an input, partial, …].
function swept(tape, y, inputs) {
  const totals = new Float64Array(y + 1), ends = new Set(inputs);
  totals[y] = 1;
  for (let k = y; k >= 0; k--) {
    const entries = totals[k] === 0 || ends.has(k) ? [] : tape[k] ?? [];
    for (let j = 0; j < entries.length; j += 2) totals[entries[j]] += totals[k] * entries[j + 1];
  }
  return inputs.map(k => totals[k]);
}

export const functions = {
  acos, acosh, asin, asinh, atan, atan2, atanh, cbrt, copysign, cos, cosh, erf, exp, expm1, floor_divide, hypot,
  log, log10, log1p, log2, pow, remainder, sign, sin, sinh, sqrt, sqrt_total: sqrt, swept, tan, tanh,
  abs: Math.abs,
  exp2: x => 2 ** x,
  floor: unsigned(Math.floor),
  ceil: unsigned(Math.ceil),
  trunc: unsigned(Math.trunc),
  round: unsigned(halfToEven),
  fmod: (a, b) => a % b,
  maximum: (a, b) => (a >= b || a !== a ? a : b),
  minimum: (a, b) => (a <= b || a !== a ? a : b),
  fmax: (a, b) => (a !== a || b > a ? b : a),
  fmin: (a, b) => (a !== a || b < a ? b : a),
  where: (condition, a, b) => +(condition || condition !== condition ? a : b), // nan counts as true, as in Python
};
