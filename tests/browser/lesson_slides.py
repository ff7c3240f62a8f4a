"""Go through the slides of an open lesson, and list what an audience could not see or read. Knows nothing of how slides are made."""

WIDE, HIGH = 800, 0.7  # the least width of a graph in a window of 1280 × 720, or its share of the panel's height
IN_GRAPH, ELSEWHERE = 12, 12  # pixels there: the least size of the texts, apart from indices

WALK = """async ([wide, high, inGraph, elsewhere]) => {
    const press = key => document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
    const paint = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    const all = (selector, within = document) => [...within.querySelectorAll(selector)];
    const isShown = e => e.checkVisibility({visibilityProperty: true}) && e.getBoundingClientRect().width;
    const around = elements => elements.map(e => e.getBoundingClientRect()).reduce((a, b) => ({
        left: Math.min(a.left, b.left), top: Math.min(a.top, b.top),
        right: Math.max(a.right, b.right), bottom: Math.max(a.bottom, b.bottom)}));
    const isInside = (a, b) => a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
    const brief = e => `${e.id || e.getAttribute("class") || e.localName} "${(e.textContent || "").trim().slice(0, 30)}"`;
    const scale = innerHeight / 720, screen = {left: 0, top: 0, right: innerWidth, bottom: innerHeight};

    function problems() {
        const found = [], {run, state} = player, row = all("#layers").filter(isShown)[0]; // of a network, in place of the graph
        const panel = (row ?? document.querySelector("#graph-panel")).getBoundingClientRect();
        const boxes = all("#graph .node .frame, #graph .fold rect, #layers .layer").filter(isShown);
        const {left, right, top, bottom} = around([...boxes, ...all("#graph .way .line")]);
        if (panel.width < wide * scale) found.push(`the graph has ${Math.round(panel.width / scale)} pixels of the width`);
        if (boxes.length > 1 && right - left < wide * scale && bottom - top < high * panel.height)
            found.push(`the graph fills ${Math.round((right - left) / scale)} × ${Math.round((bottom - top) / scale)} pixels`);
        for (const part of all("#graph .node, #graph .fold, #graph .label, #graph .factor, #layers .row *").filter(isShown))
            if (!isInside(part.getBoundingClientRect(), panel)) found.push(`cut off: ${brief(part)}`);
        for (const glass of all("#graph .node .zoom circle").filter(isShown)) {
            const {left, top} = glass.getBoundingClientRect(), was = glass.closest(".node").querySelector(".was");
            const text = was?.textContent && isShown(was) && was.getBoundingClientRect();
            if (text && text.right > left + 2 * scale && text.bottom > top) found.push(`below the magnifier: ${was.textContent}`);
        }
        const boxOf = e => +(e.dataset.variable ?? e.id.split("-").at(-1));
        const drawn = new Set(all(row ? ".layer[data-variable]" : "#graph .node").map(boxOf));
        const needed = row ? {z: run.z} : {z: run.z, asked: run.asked, x: state.step.x, y: state.step.y};
        for (const [name, v] of Object.entries(needed)) if (run.variables[v] && !drawn.has(v)) found.push(`${name} is not in the graph`);
        for (const text of all("#graph :is(text, tspan)").filter(e => isShown(e) && e.textContent.trim() && !e.matches(".small"))) {
            const size = parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a / scale;
            if (size < inGraph) found.push(`${size.toFixed(1)} pixels: ${brief(text)}`);
        }
        for (const part of all("body *").filter(e => e instanceof HTMLElement && isShown(e))) {
            const {overflow, textOverflow, fontSize} = getComputedStyle(part);
            const size = parseFloat(fontSize) * (part.currentCSSZoom ?? 1) / scale;
            if (!isInside(part.getBoundingClientRect(), screen)) found.push(`outside of the window: ${brief(part)}`);
            const isFull = part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1;
            const isShort = textOverflow === "ellipsis" && part.closest("[title]"); // the title has all of it
            if (overflow !== "visible" && part.clientWidth > 1 && isFull && !isShort) found.push(`cut off: ${brief(part)}`);
            const own = [...part.childNodes].some(node => node.nodeType === 3 && node.data.trim());
            if (own && size < (part.closest("#layers") ? inGraph : elsewhere)) found.push(`${size.toFixed(1)} pixels: ${brief(part)}`);
        }
        const root = document.documentElement;
        if (root.scrollHeight > innerHeight || root.scrollWidth > innerWidth) found.push("the page scrolls");
        for (const name of ["previous slide", "next slide", "notes"])
            if (!all(`button[aria-label="${name}"]`).some(isShown)) found.push(`no button: ${name}`);
        return [...new Set(found)];
    }

    const wrong = {};
    press("Home");
    for (let k = 1; k <= player.slides.count; k++, press("PageDown")) {
        await paint();
        const found = problems();
        if (found.length) wrong[`${k} ${document.querySelector("#heading").textContent}`] = found.slice(0, 4);
    }
    return wrong;
}"""


def walk(player):
    """Return {slide: what is wrong with it} of an open lesson. It should have been opened with reduced motion."""
    return player.page.evaluate(WALK, [WIDE, HIGH, IN_GRAPH, ELSEWHERE])
