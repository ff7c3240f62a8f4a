// Sphinx reads this for its search: chapters with the word in a heading come first,
// then the page of a function with this name, then chapters with the word in their text.
const PARTIAL_TITLE = 7;
window.Scorer = {
  score: ([page, , , , score]) => score + (page.startsWith("chapters/") ? (score < PARTIAL_TITLE ? 6 : 20) : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: PARTIAL_TITLE,
  term: 5,
  partialTerm: 2,
};
