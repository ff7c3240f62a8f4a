// The entries of an array as matrices of cells, for a picture: each cell is an entry, or a block of entries. Knows nothing of the page.

export const MOST_CELLS = 16;
const MOST_MATRICES = 12;

// Return {matrices, rows, columns}: the matrices of the last two axes. If they are too many, one matrix with a row for each index of
// the first axis.
export function gridOf(shape) {
  const sides = shape.filter((n, axis) => n > 1 || axis >= shape.length - 1);
  while (sides.length > 2 && sides.at(-1) === 1) sides.pop();
  const [rows, columns] = sides.length > 1 ? sides.slice(-2) : [1, sides[0] ?? 1], size = shape.reduce((a, b) => a * b, 1);
  const matrices = size / (rows * columns);
  return matrices <= MOST_MATRICES ? { matrices, rows, columns } : { matrices: 1, rows: sides[0], columns: size / sides[0] };
}

// Return where blocks of n rows or columns begin, at most 16 of them, and where the last one ends.
const borders = (from, to) => {
  const blocks = Math.min(to - from, MOST_CELLS);
  return Array.from({ length: blocks + 1 }, (_, k) => from + Math.floor((k * (to - from)) / blocks));
};

// The cells of a grid, or of a window of one of its matrices, {matrix, top, bottom, left, right}.
export class Cells {
  constructor(shape, window = null) {
    this.grid = gridOf(shape);
    const { matrices, rows, columns } = this.grid;
    this.window = window;
    this.matrices = window ? [window.matrix] : Array.from({ length: matrices }, (_, k) => k);
    this.down = borders(window?.top ?? 0, window?.bottom ?? rows);
    this.across = borders(window?.left ?? 0, window?.right ?? columns);
    this.rows = this.down.length - 1;
    this.columns = this.across.length - 1;
    this.count = this.matrices.length * this.rows * this.columns;
  }

  // Whether each cell is one entry.
  get isWhole() {
    return this.down.at(-1) - this.down[0] === this.rows && this.across.at(-1) - this.across[0] === this.columns;
  }

  // Return the window of cell k.
  windowOf(k) {
    const at = k % (this.rows * this.columns), i = Math.floor(at / this.columns), j = at % this.columns;
    return {
      matrix: this.matrices[Math.floor(k / (this.rows * this.columns))],
      top: this.down[i], bottom: this.down[i + 1], left: this.across[j], right: this.across[j + 1],
    };
  }

  // Return the entries of cell k.
  entriesOf(k) {
    const { rows, columns } = this.grid, { matrix, top, bottom, left, right } = this.windowOf(k), found = [];
    for (let i = top; i < bottom; i++) for (let j = left; j < right; j++) found.push((matrix * rows + i) * columns + j);
    return found;
  }

  // Return the cell with an entry; -1 if none has it.
  cellOf(entry) {
    const { rows, columns } = this.grid, matrix = this.matrices.indexOf(Math.floor(entry / (rows * columns)));
    const i = this.down.findLastIndex(top => top <= Math.floor(entry / columns) % rows);
    const j = this.across.findLastIndex(left => left <= entry % columns);
    if (matrix < 0 || i < 0 || i >= this.rows || j < 0 || j >= this.columns) return -1;
    return (matrix * this.rows + i) * this.columns + j;
  }

  // Return the number of each cell: the entry, or the mean of its block.
  of(array) {
    return Float64Array.from({ length: this.count }, (_, k) => {
      const entries = this.entriesOf(k);
      return entries.reduce((sum, entry) => sum + array[entry], 0) / entries.length;
    });
  }
}

// Return the windows that lead from the whole array to an entry: each cell of the last one is an entry.
export function windowsTo(shape, entry) {
  const found = [];
  for (let cells = new Cells(shape); !cells.isWhole; cells = new Cells(shape,
    found.at(-1))) found.push(cells.windowOf(cells.cellOf(entry)));
  return found;
}

// Return the place of the largest of some numbers, without their sign.
export function steepest(numbers, among = numbers.keys()) {
  let best = -1, most = -1;
  for (const k of among) {
    const size = Math.abs(numbers[k]);
    if (size > most) [best, most] = [k, size];
  }
  return best;
}
