// The chapters of the site, and the one that this page shows. `chapters` stands in a script of the site: tutorial/book/site.py.

export const SITE = new URL(document.documentElement.dataset.content_root ?? "", location.href);
export const PLAYGROUND = new URL("playground/", SITE);

export const allChapters = chapters; // [{ page, number, title, minutes, short, prints }]
export const addressOf = chapter => new URL(`${chapter.page}.html`, SITE).href;
export const shownChapter = allChapters.find(chapter => addressOf(chapter) === location.href.replace(/[?#].*/, ""));
