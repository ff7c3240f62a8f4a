"""What is wrong with the letters of a picture: two lie over each other, or one is crossed by a line, half covered, cut, or too pale."""

PALE = 3  # the least contrast

# The ink of a letter is as high as the font draws it, and as wide as its place. Shapes are compared with it in the order in which they are
# painted. A line crosses nothing where an opaque shape hides it, or where the letter has an outline of the paper over it.
MEASURE = """(svg, least) => {
    const pen = document.createElement('canvas').getContext('2d', {willReadFrequently: true}), colours = new Map();
    function colour(css) {
        if (!colours.has(css)) {
            pen.clearRect(0, 0, 1, 1);
            pen.fillStyle = css;
            pen.fillRect(0, 0, 1, 1);
            const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
            colours.set(css, [r, g, b, a / 255]);
        }
        return colours.get(css);
    }
    const over = ([r, g, b], [R, G, B, a]) => [r + a * (R - r), g + a * (G - g), b + a * (B - b)];
    const linear = x => (x /= 255) <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
    const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    function contrast(a, b) {
        const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
        return (high + 0.05) / (low + 0.05);
    }
    const opacityOf = e => e === svg ? 1 : getComputedStyle(e).opacity * opacityOf(e.parentElement);
    function paint(css, opacity) {
        const [r, g, b, a] = css === 'none' ? [0, 0, 0, 0] : colour(css);
        return [r, g, b, a * opacity];
    }
    function ground(e) {
        const css = e ? getComputedStyle(e).backgroundColor : 'white';
        return colour(css)[3] === 1 ? css : ground(e.parentElement);
    }

    const SIDES = {left: Math.min, right: Math.max, top: Math.min, bottom: Math.max};
    const sides = f => Object.fromEntries(Object.entries(SIDES).map(([side, far]) => [side, f(side, far)]));
    const around = boxes => sides((side, far) => far(...boxes.map(box => box[side])));
    const common = boxes => sides((side, far) => (far === Math.min ? Math.max : Math.min)(...boxes.map(box => box[side])));
    const grown = (box, by) => sides((side, far) => box[side] + (far === Math.min ? -by : by));
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const isBeyond = (a, b) => a.left < b.left || a.right > b.right || a.top < b.top || a.bottom > b.bottom;
    const inside = (box, x, y) => x > box.left && x < box.right && y > box.top && y < box.bottom;
    const SHARES = [0.1, 0.5, 0.9];
    const spots = ({left, right, top, bottom}) =>
        SHARES.flatMap(p => SHARES.map(q => [left + p * (right - left), top + q * (bottom - top)]));
    function boxOf(e, {x, y, width, height}) {
        const at = e.getScreenCTM(), corners = [[x, y], [x + width, y + height]].map(([a, b]) => new DOMPoint(a, b).matrixTransform(at));
        return around(corners.map(({x, y}) => ({left: x, right: x, top: y, bottom: y})));
    }
    const windowOf = ({x, y, width, height, parentElement}) => boxOf(parentElement, {
        x: x.baseVal.value, y: y.baseVal.value, width: width.baseVal.value, height: height.baseVal.value,
    });
    function frames(e) {
        if (e === svg) return [svg.getBoundingClientRect()];
        return [...(e.localName === 'svg' ? [windowOf(e)] : []), ...frames(e.parentElement)];
    }

    function shapeOf(e, order) {
        const {fill, fillOpacity, stroke, strokeOpacity, strokeWidth} = getComputedStyle(e), opacity = opacityOf(e);
        const width = parseFloat(strokeWidth), look = e.getAttribute('class') ?? e.parentElement.getAttribute('class');
        return {
            e, order, name: `${e.localName}.${look}`, toLocal: e.getScreenCTM().inverse(),
            fill: paint(fill, opacity * fillOpacity), stroke: paint(width ? stroke : 'none', opacity * strokeOpacity),
            box: common([grown(e.getBoundingClientRect(), width || 0), ...frames(e)]),
        };
    }
    function lettersOf(run, opacity) {
        const {fontStyle, fontWeight, fontSize, fontFamily, fill} = getComputedStyle(run), letters = [];
        const {textContent: all} = run, painted = [all, all.trimStart(), all.trimEnd(), all.trim()];
        let k = 0;
        pen.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
        for (const letter of painted.find(text => text.length === run.getNumberOfChars()) ?? '') {
            const {x, width} = run.getExtentOfChar(k), {y} = run.getStartPositionOfChar(k);
            const {actualBoundingBoxAscent: up, actualBoundingBoxDescent: down} = pen.measureText(letter);
            if (letter !== ' ') letters.push({fill: paint(fill, opacity), box: boxOf(run, {x, y: y - up, width, height: up + down})});
            k += letter.length;
        }
        return letters;
    }
    function textOf(e, order) {
        const {paintOrder, strokeWidth, stroke} = getComputedStyle(e), opacity = opacityOf(e), runs = [...e.querySelectorAll('tspan')];
        const letters = (runs.length ? runs : [e]).flatMap(run => lettersOf(run, opacity));
        const outline = paintOrder.startsWith('stroke') && parseFloat(strokeWidth) >= 3 ? paint(stroke, 1) : null;
        return {e, order, letters, outline, said: `“${e.textContent}”`, box: around(letters.map(({box}) => box))};
    }

    const texts = [], shapes = [];
    for (const [order, e] of [...svg.querySelectorAll('text, rect, path, circle, ellipse')].entries())
        if (e.checkVisibility()) e.localName === 'text' ? texts.push(textOf(e, order)) : shapes.push(shapeOf(e, order));
    const fills = ({e, box, toLocal}, x, y) => inside(box, x, y) && e.isPointInFill(new DOMPoint(x, y).matrixTransform(toLocal));
    const hidden = (x, y, after, before = Infinity) =>
        shapes.some(shape => shape.order > after && shape.order < before && shape.fill[3] > 0.95 && fills(shape, x, y));
    for (const {letters, order} of texts)
        for (const letter of letters) letter.lost = spots(letter.box).filter(([x, y]) => hidden(x, y, order)).length;
    const seen = texts.filter(({letters}) => letters.some(({lost}) => lost < 9)), base = colour(ground(svg));

    const lieOver = (a, b) =>
        meet(grown(a.box, -1), b.box) && a.letters.some(one => b.letters.some(other => meet(grown(one.box, -1), other.box)));
    function isCrossed({letters, box, order, outline}, shape) {
        if (shape.stroke[3] < 0.1 || !meet(shape.box, box) || (shape.order < order && outline)) return false;
        const long = Math.floor(shape.e.getTotalLength()), at = shape.e.getScreenCTM();
        return Array.from({length: long + 1}, (_, s) => s).some(s => {
            const {x, y} = shape.e.getPointAtLength(s).matrixTransform(at);
            return inside(box, x, y) && inside(shape.box, x, y) && letters.some(letter => inside(grown(letter.box, -0.6), x, y))
                && !hidden(x, y, shape.order, shape.order < order ? order : Infinity);
        });
    }
    function contrastOf({fill, box}, {order, outline}) {
        const below = shapes.filter(shape => shape.order < order && shape.fill[3]);
        return Math.min(...spots(box).map(([x, y]) => {
            const paper = outline ?? below.filter(shape => fills(shape, x, y)).reduce((all, shape) => over(all, shape.fill), base);
            return contrast(over(paper, fill), paper);
        }));
    }
    return seen.flatMap(text => {
        const {e, letters, box, said, order} = text, pale = Math.min(...letters.map(letter => contrastOf(letter, text)));
        return [
            ...(letters.some(({lost}) => lost) ? [`${said} is half covered`] : []),
            ...(frames(e).some(frame => isBeyond(box, grown(frame, 0.7))) ? [`${said} is cut by the frame`] : []),
            ...seen.filter(other => other.order > order && lieOver(text, other))
                .map(other => `${said} and ${other.said} lie over each other`),
            ...shapes.filter(shape => isCrossed(text, shape)).map(shape => `${said} is crossed by ${shape.name}`),
            ...(pale < least ? [`${said} is too pale: ${pale.toFixed(1)}`] : []),
        ];
    });
}"""


def wrong_letters(picture, states="(svg, [look, least]) => eval(look)(svg, least)"):
    """Return the flaws of a picture in sentences. `states` is a script that looks at several states of it."""
    return picture.evaluate(states, [MEASURE, PALE])
