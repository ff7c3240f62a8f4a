// A graph of arrays in single numbers: the run of its entries, and what the graph of the arrays shows when entries change.

function runOfEntries(arrays) {
  const { places } = arrays.entryGraph, run = new Run({ ...arrays.entryGraph, steps: [], questions: [], insertions: [] }), owners = [];
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
    if (!variable.cells) return { array: changed ? { summary: `${changed} ${changed === 1 ? "entry changes" : "entries change"}` } : null, moved: changed > 0 };
    const read = (of, or) => places[v].map((row, i) => row.map((place, j) => of(values.get(place), place) ?? or[i]?.[j] ?? or[j]));
    const data = read(entry => entry?.number, variable.data), totals = values.get(places[v].flat().find(place => place !== null))?.total != null;
    const array = { cells: read(entry => (entry?.moved ? entry.text : entry && digits(entry.number, 4)), variable.cells), data, marks: read((entry, place) => `${entry?.moved ? "moved" : ""}${place === nudged ? " chosen" : ""}`, [[]]) };
    const below = totals ? { cells: read(entry => entry?.total ?? "0", [[]]), data: read(entry => Number((entry?.total ?? "0").replace("−", "-")), [[]]) }
      : changed && nudged !== undefined ? { cells: variable.cells, data: variable.data, label: "was" } : undefined;
    return { array, below, moved: changed > 0, change: holds && owners[nudged] === v ? values.get(nudged)?.change ?? "" : "" };
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
