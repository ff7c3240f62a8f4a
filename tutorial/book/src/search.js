// The page of the search: Sphinx looks up the question and shows what it finds; which places these are, and their order, is `ranked.js`.
import { ranking } from "./ranked.js";

// of torch.nn.functional.softmax, which is softmax here
const PREFIX = /^(?:torch|np|numpy|jnp|tg|tensorgrad|F)\.(?:nn\.)?(?:functional\.|linalg\.)?(?=\w)/;
let rank;

Search._performSearch = question => {
  const { docnames, filenames } = Search._index, stemmer = new Stemmer();
  document.getElementById("search-progress")?.replaceChildren();
  rank ??= ranking(Search._index, searched, word => stemmer.stemWord(word));
  const found = rank(question.trim().replace(PREFIX, ""));
  // Sphinx shows the last one first
  return found.reverse().map(({ page, title, anchor, score }) => [docnames[page], title, anchor, null, score, filenames[page], "title"]);
};
