// Sphinx reads this for its search: pages whose title has all words come first, then chapters with a word in a heading,
// then the page of a function with this name, then chapters with the word in their text.
const PARTIAL_TITLE = 7;
// of torch.nn.functional.softmax, which is softmax here
const PREFIX = /^(?:torch|np|numpy|jnp|tg|tensorgrad|F)\.(?:nn\.)?(?:functional\.|linalg\.)?(?=\w)/;

const address = new URLSearchParams(location.search);
const question = (address.get("q") ?? "").replace(PREFIX, "");
const words = question.toLowerCase().split(/\s+/).filter(Boolean);
const inTitle = title => words.length && words.every(word => title.toLowerCase().includes(word));

window.Scorer = {
  score: ([page, title, , , score]) =>
    score + (page.startsWith("chapters/") ? (score < PARTIAL_TITLE ? 6 : 20) : 0) + (inTitle(title) ? 10 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: PARTIAL_TITLE,
  term: 5,
  partialTerm: 2,
};

if (question !== (address.get("q") ?? "")) {
  address.set("q", question);
  history.replaceState(null, "", `?${address}`);
}
