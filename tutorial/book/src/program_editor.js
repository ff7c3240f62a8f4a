// An editor in the page, in place of a listing. Its script comes from the playground at the first use.

import { html } from "../../../viz/page/src/dom.js";
import { makeEditor } from "../../playground/src/editor.js";
import { load } from "../../playground/src/load.js";
import { PLAYGROUND } from "./chapters.js";

/** @type {Promise<any> | null} */
let loading = null;

// Wait for the script of editors. Raises an error that says which file is missing.
export const loadEditor = () => (loading ??= Promise.all(["editor.css", "editor.js"].map(name => load(name, PLAYGROUND))));

// Return an editor in place of a listing. `label` is for screen readers.
export function editInPlace(listing, value, label, run) {
  const place = html("div", { class: "live-editor" });
  listing.before(place);
  listing.hidden = true;
  return makeEditor(place, run, { viewportMargin: Infinity, screenReaderLabel: label, value });
}
