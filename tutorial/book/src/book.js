// A page of the book's site.

import { makeCellsLive } from "./live_cells.js";
import { beginPage } from "./page.js";
import { preparePaper } from "./paper.js";
import { followLinks } from "./place.js";
import { hearWhatIsDone, makeProgress } from "./progress.js";
import { makeExercises } from "./repair.js";
import { offerSlides } from "./slides.js";
import { makeTeacherPanel } from "./teacher.js";

hearWhatIsDone();
addEventListener("DOMContentLoaded", () => {
  beginPage();
  makeCellsLive();
  makeProgress();
  makeExercises();
  makeTeacherPanel();
  preparePaper();
  offerSlides();
  followLinks();
});
