// The formula below a box: its two lines, and as much of each as there is room for.

const WITHIN = 5; // letters: a line may be so much longer than half the formula before it is broken within one more parenthesis

const depthOf = text => (text.match(/\(/g)?.length ?? 0) - (text.match(/\)/g)?.length ?? 0);

// Return the runs of a formula as those of two lines of about the same length. The second begins with + or another sign.
export function halves(runs) {
  const long = runs.reduce((sum, [text]) => sum + text.length, 0);
  let best = null, before = 0, depth = 0;
  runs.forEach(([text, kind], k) => {
    for (const { index } of kind ? [] : text.matchAll(/ [+−/] |·|, /g)) {
      const off = Math.abs(before + index - long / 2) + WITHIN * (depth + depthOf(text.slice(0, index)));
      if (!best || off < best.off) best = { off, k, index };
    }
    before += text.length;
    depth += depthOf(text);
  });
  if (!best) return [runs];
  const { k, index } = best, [text] = runs[k];
  return [[...runs.slice(0, k), [text.slice(0, index), ""]], [[text.slice(index).trimStart(), ""], ...runs.slice(k + 1)]];
}

// The widths of letters in a formula, in font sizes: narrow and wide ones, and all others.
const NARROW = /[ .,:;'|!()[\]{}ijlftI]/, BROAD = /[mwMW+−=<>≤≥·…]/;
const widthOf = (letter, kind) => (NARROW.test(letter) ? 0.32 : BROAD.test(letter) ? 0.75 : 0.5) * (kind ? 0.72 : 1);

// Return as much of a formula as there is room for, with thin spaces around each ·.
export function fitting(runs, width, size) {
  const letters = runs.flatMap(([text, kind], k) => [...text].map(letter => ({ letter, kind, k })));
  const ends = letters.map((sum => ({ letter, kind }) => (sum += widthOf(letter, kind)))(0)), room = width / size;
  const count = (ends.at(-1) ?? 0) <= room ? letters.length : ends.filter(end => end <= room - widthOf("…", "")).length;
  const found = runs.map(([, kind], k) => [letters.slice(0, count).filter(of => of.k === k).map(({ letter }) => letter).join(""), kind]);
  const shown = found.filter(([text]) => text).map(([text, kind]) => [text.replaceAll("·", "\u2009·\u2009"), kind]);
  return count < letters.length ? [...shown, ["…", ""]] : shown;
}
