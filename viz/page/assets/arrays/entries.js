// A graph of arrays in single numbers: the run of its entries, and what the graph of the arrays shows when entries change.

function runOfEntries(arrays) {
  const { places } = arrays.entryGraph, run = new Run({ ...arrays.entryGraph, steps: [], questions: [], insertions: [] }), owners = [], start = run.live.values(run.live.start);
  const held = places.map(rows => new Set(rows.flat().filter(place => place !== null)));
  held.forEach((entries, v) => entries.forEach(place => (owners[place] ??= v))); // an entry that is only moved belongs to the first array
  // The edges between entries that lie on each edge between arrays, and the entries that both arrays hold.
  const within = arrays.edges.map(({ input, output }) => run.edges.flatMap((edge, e) => (held[input].has(edge.input) && held[output].has(edge.output) ? [e] : [])));
  const both = arrays.edges.map(({ input, output }) => [...held[input]].filter(place => held[output].has(place)));

  // The entry that the question is about: one of the array that it is about, and one with an effect if there is any.
  const entries = run.live.inputs.flatMap((place, k) => (owners[place] === arrays.asked ? [{ place, effect: run.gradient[k] }] : []));
  const asked = (entries.find(({ effect }) => effect) ?? entries[0])?.place;

  // The edges between arrays over which edges between entries carry something.
  function carryingArrays(carrying) {
    const touched = new Set([...carrying].flatMap(e => [run.edges[e].input, run.edges[e].output]));
    return new Set(arrays.edges.flatMap((_, e) => (within[e].some(inner => carrying.has(inner)) || both[e].some(place => touched.has(place)) ? [e] : [])));
  }

  // What the box of an array shows: its entries as they are now, and below them as they were, or the gradient at another place.
  function box(v, values, nudged) {
    const variable = arrays.variables[v], changed = places[v].flat().filter(place => values.get(place)?.moved).length, holds = held[v].has(nudged);
    if (!variable.cells) return picture(v, values, nudged, changed);
    const read = (of, or) => places[v].map((row, i) => row.map((place, j) => of(values.get(place), place) ?? or[i]?.[j] ?? or[j]));
    const data = read(entry => entry?.number, variable.data), totals = values.get(places[v].flat().find(place => place !== null))?.total != null;
    const array = { cells: read(entry => (entry?.moved ? entry.text : entry && digits(entry.number, 4)), variable.cells), data, marks: read((entry, place) => `${entry?.moved ? "moved" : ""}${place === nudged ? " chosen" : ""}`, [[]]) };
    const below = totals ? { cells: read(entry => entry?.total ?? "0", [[]]), data: read(entry => Number((entry?.total ?? "0").replace("−", "-")), [[]]) }
      : changed && nudged !== undefined ? { cells: variable.cells, data: variable.data, label: "was" } : undefined;
    return { array, below, moved: changed > 0, change: holds && owners[nudged] === v ? values.get(nudged)?.change ?? "" : "" };
  }

  // The same for an array that is shown as a picture. One that does not show each entry stays as it is.
  function picture(v, values, nudged, changed) {
    const flat = places[v].flat(), { picture: like } = arrays.variables[v], numbers = of => flat.map(place => of(values.get(place)) ?? start[place]);
    const tag = nudged === undefined || !changed ? "" : owners[nudged] === v ? values.get(nudged).change : `${changed} ${changed === 1 ? "entry" : "entries"}`;
    if (!like || like.note || held[v].size < flat.length) return { moved: changed > 0, change: tag };
    const totals = values.get(flat[0])?.total != null && { picture: pictureOf(flat.map(place => Number(values.get(place).total.replace("−", "-"))), like) };
    return { array: changed ? { picture: pictureOf(numbers(entry => entry?.number), like) } : null, below: totals || undefined, moved: changed > 0, change: tag };
  }

  return Object.assign(run, {
    noun: "entry", nouns: "entries", asked,
    owner: place => owners[place],
    picker: choose => entryPicker(arrays, run, choose),
    shown({ values, carrying, nudged, totals, ...others }) {
      const boxes = new Map(arrays.variables.map(({ shape }, v) => [v, shape.length ? box(v, values, nudged) : values.get(places[v][0][0])]));
      return { ...others, values: new Map([...boxes].filter(([, shown]) => shown)), factors: new Map(), arrows: new Map(), carrying: carryingArrays(carrying ?? new Set()),
        ...(totals ? { totals: arrays.totals(arrays.steps.length - 1) } : { nudged: owners[nudged] }) };
    },
  });
}

// Return a picture of other numbers, on a scale of their own; viz/array_picture.py computes the first one in the same way.
function pictureOf(numbers, like) {
  const known = numbers.filter(Number.isFinite), low = Math.min(...known), high = Math.max(...known), largest = Math.max(Math.abs(low), Math.abs(high)) || 1, size = like.cells[0].length;
  const letter = number => (Number.isFinite(number) ? (Math.round((SHADES * number) / largest) + SHADES).toString(36) : "."), of = list => list.map(letter).join("");
  return { ...like, cells: like.cells.map((_, k) => of(numbers.slice(k * size, (k + 1) * size))), bar: of([...like.bar].map((_, k) => low + ((high - low) * k) / (like.bar.length - 1))),
    labels: low === high ? [`all ${digits(low, 2)}`] : [digits(low, 2), digits(high, 2)], zero: low < 0 && high > 0 ? -low / (high - low) : undefined };
}
