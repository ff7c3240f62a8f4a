// Rank the places of the book for a question: pages, parts of them, words of the index. Knows what Sphinx's search and searched.py know.
//
// Learners ask in sentences and in words of their own. So a page need not have all words of a question. It gets for each word the most
// that one of its fields gives, weighted by how rare the word is, and loses what it lacks. A name, a word or a heading that is the
// question itself comes before all that.

const FIELD = { title: 8, introduced: 6, often: 6, heading: 5, text: 1 };
const HALF = 12; // uses of a word that give half of `often`
const ALIKE = 0.7, LEAST_START = 4; // a word that no page has stands for those that begin with it
const COMMON = 5; // pages with the same heading say nothing by it
const NAMED = 20, PART = 0.3; // for a place whose name is the question; it has at least this part of the words
const LEAST = 0.02; // of the best one; what is below it only takes room
const KINDS = [
  { of: /^chapters\//, weighs: 1.4 },
  { of: /^(?:functions\/(?:index|tool-|nn-|optim|data)|exercises|teachers|results|index|recaps\/|answers)/, weighs: 0.5 },
  { of: /^functions\//, weighs: 0.6 },
  { of: /^glossary/, weighs: 0.3 }, // its words are places of their own
];
const EMPTY = `a about all an and any are as at be but by can define definition do does doesn don example explain explained for from get
give go goes going got has have help how i if in into is it its kind make me mean means most my need no not of on one or our out really s
same should so some t tell than that the their them then there they thing this to too understand up us use using vs was way we what when
where which who whose why will with won work works would you your`;
const BRITISH = [
  { from: /(?<=\w{4})iz(?=(?:e|ed|er|ers|es|ing|ation|ations)$)/, to: "is" }, // but not size
  { from: /yz(?=(?:e|ed|er|ing)$)/, to: "ys" },
  { from: /olor/, to: "olour" },
];

const sum = numbers => numbers.reduce((a, b) => a + b, 0);
const split = text => text.toLowerCase().replace(/['’](?:s|t)\b/g, "").split(/[^\p{L}\p{N}]+/u).filter(Boolean);

// Return whether two words differ by a letter, or by two that changed places.
function isSlip(one, other) {
  if (Math.abs(one.length - other.length) > 1) return false;
  let from = 0, until = 0;
  while (from < one.length && one[from] === other[from]) from++;
  while (until < Math.min(one.length, other.length) - from && one.at(-1 - until) === other.at(-1 - until)) until++;
  const [a, b] = [one, other].map(word => word.slice(from, word.length - until));
  return (a.length < 2 && b.length < 2) || (a.length === 2 && a === b[1] + b[0]);
}

// Return what Sphinx's index knows: {word: {page: the most that one of its fields gives}}, and places as { page, anchor, title, words }.
function indexed(index, stemmed) {
  const gives = new Map(), places = [];
  const add = (word, page, field) => {
    if (!gives.has(word)) gives.set(word, new Map());
    gives.get(word).set(page, Math.max(gives.get(word).get(page) ?? 0, field));
  };
  for (const [word, pages] of Object.entries(index.terms))
    for (const part of word.includes("_") ? stemmed(word) : [word]) for (const page of [pages].flat()) add(part, page, FIELD.text);
  for (const [title, all] of Object.entries(index.alltitles))
    for (const [page, id] of all.length < COMMON ? all : []) {
      const words = stemmed(title), whole = index.titles[page] === title;
      for (const word of words) add(word, page, whole ? FIELD.title : FIELD.heading);
      places.push({ page, words, title: whole ? title : `${index.titles[page]} > ${title}`, anchor: whole || !id ? "" : `#${id}` });
    }
  for (const [entry, all] of Object.entries(index.indexentries))
    for (const [page, id, isMain] of all)
      if (isMain && index.titles[page].toLowerCase() !== entry) {
        const words = stemmed(entry);
        if (index.docnames[page] !== "glossary") for (const word of words) add(word, page, FIELD.introduced);
        places.push({ page, words, title: `${index.titles[page]} > ${entry}`, anchor: `#${id}` });
      }
  return { gives, places, add };
}

// Return rank(question): [{ page, title, anchor, score }, …], the best first. `page` is its number in Sphinx's index.
export function ranking(index, { often, said }, stemWord) {
  const stems = new Map();
  const stem = word => {
    if (!stems.has(word)) stems.set(word, stemWord(BRITISH.reduce((text, { from, to }) => text.replace(from, to), word)));
    return stems.get(word);
  };
  const stemmed = text => split(text).map(stem);
  const kinds = index.docnames.map(page => KINDS.find(({ of }) => of.test(page))?.weighs ?? 1);
  const { gives, places, add } = indexed(index, stemmed);
  for (const [name, words] of Object.entries(often)) {
    const at = index.docnames.indexOf(name), counts = new Map();
    for (const [word, count] of Object.entries(words)) counts.set(stem(word), (counts.get(stem(word)) ?? 0) + count);
    for (const [word, count] of at < 0 ? [] : counts) add(word, at, FIELD.text + (FIELD.often * count) / (count + HALF));
  }

  const line = text => ` ${stemmed(text).join(" ")} `;
  const phrases = Object.entries(said).map(([theirs, ours]) => [line(theirs), line(ours)]).sort(([a], [b]) => b.length - a.length);
  const empty = new Set(stemmed(EMPTY));

  // Return what a line's words give, [{ word, pages: {page: what it gives} }, …], and which share of its words some page has.
  function asked(text) {
    const all = [...new Set(text.split(" ").filter(Boolean))], full = all.filter(word => !empty.has(word) && !/^\d+$/.test(word));
    const words = full.length ? full : all;
    const known = words.map(word => ({ word, pages: gives.get(word) ?? likely(word) })).filter(({ pages }) => pages.size);
    return { known, share: known.length / words.length };
  }

  // Return the pages of the words that begin like one that no page has or, if there are none, that differ from it by a slip.
  function likely(typed) {
    const alike = is => {
      const pages = new Map();
      for (const [word, some] of typed.length < LEAST_START ? [] : gives)
        if (is(word)) for (const [page, field] of some) pages.set(page, Math.max(pages.get(page) ?? 0, ALIKE * field));
      return pages;
    };
    const begun = alike(word => word.startsWith(typed));
    return begun.size ? begun : alike(word => isSlip(word, typed));
  }

  return question => {
    const found = new Map(); // {page and anchor: the result}
    const show = (page, title, anchor, score) => {
      const key = page + anchor;
      if (score > (found.get(key)?.score ?? 0)) found.set(key, { page, title, anchor, score });
    };
    const typed = line(question), ours = phrases.reduce((text, [theirs, words]) => text.replace(theirs, words), typed);
    for (const text of new Set([typed, ours])) {
      const { known, share } = asked(text);
      rank(known, (page, title, anchor, score) => show(page, title, anchor, score * share));
    }
    const sorted = [...found.values()].sort((a, b) => b.score - a.score);
    return sorted.filter(({ score }) => score > LEAST * sorted[0].score);
  };

  // Show the places that answer these words, each with its score.
  function rank(words, show) {
    const rare = words.map(({ pages }) => Math.log(1 + kinds.length / pages.size)), all = sum(rare), named = new Set();
    const scores = kinds.map((kind, page) => {
      const fields = words.map(({ pages }) => pages.get(page) ?? 0);
      const has = sum(rare.filter((_, k) => fields[k])) / all;
      return kind * has ** 2 * sum(fields.map((field, k) => field * rare[k])) / all;
    });
    for (const { page, words: own, title, anchor } of places) {
      const part = words.filter(({ word }) => own.includes(word)).length / own.length;
      if (part < PART || !words.every(({ word }) => own.includes(word))) continue;
      show(page, title, anchor, scores[page] + NAMED * part * (part < 1 && !anchor ? 0.5 : 1) * Math.max(kinds[page], 0.8));
      named.add(page);
    }
    scores.forEach((score, page) => named.has(page) || show(page, index.titles[page], "", score));
  }
}
