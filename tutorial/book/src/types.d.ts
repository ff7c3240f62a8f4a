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

interface Window {
  live: any;
  Scorer: object;
}
