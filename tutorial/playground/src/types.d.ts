// What stands in the page, or in another script of it.

declare function CodeMirror(place: Element, settings: object): any;

// In the worker: tutorial/playground/build.py
declare const LOCK: object;
declare const Viz: { instance(): Promise<any> };
declare function loadPyodide(settings: object): Promise<any>;
declare function _createPyodideModule(settings: object): Promise<any>;

interface Window {
  playground: any;
}

// The script of a part of the playground
interface HTMLScriptElement {
  holds: string;
}

interface Uint8ArrayConstructor {
  fromBase64?(text: string): Uint8Array<ArrayBuffer>;
}
