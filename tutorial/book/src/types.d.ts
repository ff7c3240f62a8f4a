// What stands in a script of the site: tutorial/book/site.py.

interface Chapter {
  page: string;
  number: number;
  title: string;
  minutes: number;
  short: { question: number; player: number; exercise: string };
  prints: [name: string, text: string][];
}

declare const chapters: Chapter[];

// Of the page of the search: Sphinx's own, and what searched.py writes.
declare const Search: any;
declare const Stemmer: any;
declare const searched: any;

interface Window {
  live: any;
  Scorer: object;
}
