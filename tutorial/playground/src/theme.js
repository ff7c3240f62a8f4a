// A page tells the pages in its frames which theme it has.

export const tellTheme = frame => frame.contentWindow?.postMessage({ theme: document.body.dataset.theme }, "*");
