// A graph of arrays that the page computes itself, forwards and backwards. tensorgrad/program/array_program.py writes the program and
// says what each kind of operation is. Knows nothing of the page.

export class ArrayProgram {
  // `rows` are the functions of numbers that the program names: [{ f, d: [the partial in each argument] }].
  /** @param {NetworkProgram} program */
  constructor({ operations, sizes, data, leaves, z }, rows) {
    this.operations = operations;
    this.sizes = sizes;
    this.leaves = leaves;
    this.z = z;
    this.kernels = operations.map(op => KERNELS[op.op](op, rows, sizes));
    this.inputs = operations.map(inputsOf);
    this.varies = new Set(leaves); // what depends on a leaf
    operations.forEach(({ y }, k) => this.inputs[k].some(x => this.varies.has(x)) && this.varies.add(y));
    this.given = new Map(Object.entries(data).map(([place, numbers]) => [+place, numbersIn(numbers)]));
    this.downstream = new Map();
  }

  // Return all arrays at the leaves as they are given, or with some of them replaced: {place: array}.
  run(leaves = new Map()) {
    const arrays = this.sizes.map((_, place) => leaves.get(place) ?? this.given.get(place));
    this.operations.forEach(({ y }, k) => (arrays[y] = this.kernels[k].forward(arrays)));
    return arrays;
  }

  // Return all arrays when one leaf is another array; what does not depend on it stays as it is.
  after(arrays, leaf, array) {
    const found = [...arrays];
    found[leaf] = array;
    for (const k of this.from(leaf)) found[this.operations[k].y] = this.kernels[k].forward(found);
    return found;
  }

  // Return the operations that depend on a leaf.
  from(leaf) {
    if (!this.downstream.has(leaf)) {
      const reached = new Set([leaf]), found = [];
      this.operations.forEach(({ y }, k) => {
        if (!this.inputs[k].some(x => reached.has(x))) return;
        reached.add(y);
        found.push(k);
      });
      this.downstream.set(leaf, found);
    }
    return this.downstream.get(leaf);
  }

  // Return the derivative of z in each array, as a list of arrays; none where z does not depend on it.
  gradients(arrays) {
    const found = [], total = place => (found[place] ??= new Float64Array(this.sizes[place]));
    found[this.z] = new Float64Array([1]);
    for (let k = this.operations.length - 1; k >= 0; k--) {
      const upstream = found[this.operations[k].y];
      if (upstream) this.kernels[k].backward(arrays, upstream, place => (this.varies.has(place) ? total(place) : null));
    }
    return found;
  }
}

const inputsOf = ({ x, terms: products }) => (products ? products.flatMap(({ a, b }) => (b ? [a[0], b[0]] : [a[0]])) : [x].flat());

// Numbers stand as text: the bytes of floats in base64, with "f" or "d" for four or eight bytes each.
function numbersIn(text) {
  const bytes = Uint8Array.from(atob(text.slice(1)), letter => letter.charCodeAt(0)).buffer;
  return text[0] === "f" ? Float64Array.from(new Float32Array(bytes)) : new Float64Array(bytes);
}

// Call visit(...places) for each index below `sizes`; the places move by `strides`. The last axis is the caller's.
function walk(sizes, starts, strides, visit) {
  const last = sizes.length - 1, index = new Int32Array(last), at = Int32Array.from(starts), count = at.length;
  for (;;) {
    visit(at);
    let axis = last - 1;
    for (; axis >= 0; axis--) {
      const more = ++index[axis] < sizes[axis], steps = more ? 1 : 1 - sizes[axis];
      for (let j = 0; j < count; j++) at[j] += strides[j][axis] * steps;
      if (more) break;
      index[axis] = 0;
    }
    if (axis < 0) return;
  }
}

// to[…] += factor · a[…] · b[…]; each of them is [array, first entry, strides], and b may be missing.
/** @typedef {[array: Float64Array, first: number, steps: number[]]} Strided */
/** @param {Strided} target @param {Strided} left @param {Strided=} right */
function addProducts(sizes, factor, target, left, right) {
  const [to, to0, toSteps] = target, [a, a0, aSteps] = left;
  const n = sizes.at(-1), t = toSteps.at(-1), s = aSteps.at(-1);
  if (!right)
    return walk(sizes, [to0, a0], [toSteps, aSteps], at => {
      let i = at[0], j = at[1]; // without a pattern, which takes ten times as long
      if (t === 0) {
        let sum = 0;
        for (let k = 0; k < n; k++, j += s) sum += a[j];
        to[i] += factor * sum;
      } else for (let k = 0; k < n; k++, i += t, j += s) to[i] += factor * a[j];
    });
  const [second, b0, bSteps] = right, r = bSteps.at(-1);
  walk(sizes, [to0, a0, b0], [toSteps, aSteps, bSteps], at => {
    let i = at[0], j = at[1], l = at[2];
    if (t === 0) {
      let sum = 0;
      for (let k = 0; k < n; k++, j += s, l += r) sum += a[j] * second[l];
      to[i] += factor * sum;
    } else if (r === 0) {
      const by = factor * second[l];
      for (let k = 0; k < n; k++, i += t, j += s) to[i] += by * a[j];
    } else for (let k = 0; k < n; k++, i += t, j += s, l += r) to[i] += factor * a[j] * second[l];
  });
}

function terms(op, _rows, sizes) {
  /** @returns {Strided} */
  const part = (arrays, [place, first, strides]) => [arrays[place], first, strides];
  return {
    forward(arrays) {
      const y = new Float64Array(sizes[op.y]);
      for (const one of op.terms)
        addProducts(one.sizes, one.by, [y, one.at, one.y], part(arrays, one.a), one.b && part(arrays, one.b));
      return y;
    },
    backward(arrays, upstream, total) {
      for (const { sizes: lengths, by, at, y, a, b } of op.terms) {
        const toA = total(a[0]), toB = b && total(b[0]);
        if (toA) addProducts(lengths, by, [toA, a[1], a[2]], [upstream, at, y], b && part(arrays, b));
        if (toB) addProducts(lengths, by, [toB, b[1], b[2]], [upstream, at, y], part(arrays, a));
      }
    },
  };
}

function gather({ x, index, fill = 0 }, _rows, sizes) {
  const starts = x.reduce((found, place) => [...found, found.at(-1) + sizes[place]], [0]);
  const from = Int32Array.from(index, i => x.findIndex((_, k) => i < starts[k + 1])); // 0 for the fill, too
  const at = Int32Array.from(index, (i, k) => (i < 0 ? -1 : i - starts[from[k]]));
  return {
    forward: arrays => Float64Array.from(at, (i, k) => (i < 0 ? +fill : arrays[x[from[k]]][i])),
    backward(_arrays, upstream, total) {
      const totals = x.map(total);
      at.forEach((i, k) => i >= 0 && totals[from[k]] && (totals[from[k]][i] += upstream[k]));
    },
  };
}

function map({ y, x, row, sizes: lengths, strides }, rows, sizes) {
  const { f, d } = rows[row], n = lengths.at(-1), count = x.length;
  const steps = strides.map(one => one.at(-1)), starts = x.map(() => 0);
  // Call visit(k, arguments) for each entry k, in order.
  function each(arrays, visit) {
    const given = x.map(place => arrays[place]), args = new Array(count);
    let k = 0;
    walk(lengths, starts, strides, at => {
      for (let j = 0; j < n; j++, k++) {
        for (let i = 0; i < count; i++) args[i] = given[i][at[i] + j * steps[i]];
        visit(k, args, at, j);
      }
    });
  }
  return {
    forward(arrays) {
      const found = new Float64Array(sizes[y]), [a, b] = x.map(place => arrays[place]);
      let k = 0;
      if (count === 1)
        walk(lengths, starts, strides, at => {
          for (let j = 0, i = at[0]; j < n; j++, k++, i += steps[0]) found[k] = f(a[i]);
        });
      else if (count === 2)
        walk(lengths, starts, strides, at => {
          for (let j = 0, i = at[0], l = at[1]; j < n; j++, k++, i += steps[0], l += steps[1]) found[k] = f(a[i], b[l]);
        });
      else each(arrays, (place, args) => (found[place] = f(...args)));
      return found;
    },
    backward(arrays, upstream, total) {
      const totals = x.map(total), values = arrays[y], [a, b] = x.map(place => arrays[place]), [toA, toB] = totals;
      let next = 0;
      if (count < 3)
        return walk(lengths, starts, strides, at => {
          for (let j = 0, k = next, i = at[0], l = at[1] ?? 0; j < n; j++, k++, i += steps[0], l += steps[1] ?? 0) {
            if (toA) toA[i] += upstream[k] * (b ? d[0](a[i], b[l], values[k]) : d[0](a[i], values[k]));
            if (toB) toB[l] += upstream[k] * d[1](a[i], b[l], values[k]);
          }
          next += n;
        });
      each(arrays, (k, args, at, j) => {
        for (let i = 0; i < count; i++) if (totals[i]) totals[i][at[i] + j * steps[i]] += upstream[k] * d[i](...args, values[k]);
      });
    },
  };
}

// The entries that the last axis of `inner` covers are visited one by one.
function extreme({ y, x, sign, outer, inner }, _rows, sizes) {
  const n = inner.sizes.at(-1), step = inner.x.at(-1), alone = [[...outer.sizes, 1], [[...outer.x, 0]]];
  const eachOuter = visit => {
    let k = 0;
    walk(alone[0], [0], alone[1], at => visit(k++, at[0]));
  };
  const eachInner = (at, visit) => walk(inner.sizes, [at], [inner.x], from => {
    for (let j = 0; j < n; j++) visit(from[0] + j * step);
  });
  return {
    forward(arrays) {
      const found = new Float64Array(sizes[y]), given = arrays[x];
      eachOuter((k, at) => {
        let best = -Infinity;
        eachInner(at, i => (best = sign * given[i] > best || given[i] !== given[i] ? sign * given[i] : best));
        found[k] = sign * best;
      });
      return found;
    },
    // Equal ones share the gradient.
    backward(arrays, upstream, total) {
      const to = total(x), given = arrays[x], values = arrays[y];
      if (!to) return;
      eachOuter((k, at) => {
        let count = 0;
        eachInner(at, i => (count += given[i] === values[k] ? 1 : 0));
        eachInner(at, i => given[i] === values[k] && (to[i] += upstream[k] / count));
      });
    },
  };
}

function scalars({ x, rows: names, code, ends }, rows, sizes) {
  const starts = x.reduce((found, place) => [...found, found.at(-1) + sizes[place]], [0]), count = starts.at(-1);
  function valuesOf(arrays) {
    const found = new Float64Array(count + code.length);
    x.forEach((place, k) => found.set(arrays[place], starts[k]));
    code.forEach(([row, ...args], k) => {
      found[count + k] = row < 0 ? +args[0] : rows[names[row]].f(...args.map(i => found[i]));
    });
    return found;
  }
  return {
    forward(arrays) {
      const values = valuesOf(arrays);
      return Float64Array.from(ends, end => (Array.isArray(end) ? +end[0] : values[end]));
    },
    backward(arrays, upstream, total) {
      const values = valuesOf(arrays), totals = new Float64Array(values.length);
      ends.forEach((end, k) => Array.isArray(end) || (totals[end] += upstream[k]));
      for (let k = code.length - 1; k >= 0; k--) {
        const [row, ...args] = code[k], at = count + k;
        if (row < 0 || totals[at] === 0) continue;
        const given = args.map(i => values[i]);
        args.forEach((i, slot) => (totals[i] += totals[at] * rows[names[row]].d[slot](...given, values[at])));
      }
      x.forEach((place, k) => {
        const to = total(place);
        if (to) for (let i = 0; i < to.length; i++) to[i] += totals[starts[k] + i];
      });
    },
  };
}

const KERNELS = { terms, gather, map, extreme, scalars };
