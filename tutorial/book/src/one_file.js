// A chapter in one file, which opens as slides: tutorial/book/one_file.py. It has no site around it.

import { beginPage } from "./page.js";
import { followLinks } from "./place.js";
import { offerSlides } from "./slides.js";

addEventListener("DOMContentLoaded", () => {
  beginPage();
  offerSlides();
  followLinks();
});
