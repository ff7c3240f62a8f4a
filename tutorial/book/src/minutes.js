// Minutes of a plan.

export const sumOf = numbers => numbers.reduce((sum, number) => sum + number, 0);

// Return rows, each with the minute at which it begins.
export function timed(rows) {
  let from = 0;
  return rows.map(row => ({ ...row, from: (from += row.minutes) - row.minutes }));
}

// Share minutes by weights. The shares are integers, and their sum is right.
export function shared(minutes, weights) {
  const whole = sumOf(weights), until = count => Math.round((minutes * sumOf(weights.slice(0, count))) / whole);
  return weights.map((_, k) => until(k + 1) - until(k));
}
