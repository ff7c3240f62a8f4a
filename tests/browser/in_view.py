"""What a window shows of a graph: whether z, the asked input and the nudged path are whole in it, how large the texts are, how full it is.

`python -m tests.browser.in_view [program …]` prints a table of programs at five sizes of windows, all steps of each act, and below a row
the steps that fail. A program is a name of tests/viz/graphs_of_others.py, or FILE.py:FUNCTION.
"""

import argparse
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from tempfile import TemporaryDirectory

SIZES = (1280, 720), (1920, 1080), (1024, 768), (768, 1024), (390, 844)
ACTS = ("question", "nudge", "backward", "use")
ALL = 1_000_000  # steps of an act that are looked at, evenly spread

# For each step: {act, step, z, asked, path, all: whether these boxes are whole in the window and nothing lies on them, way: whether a way
# from `asked` to z is whole, without a fold, text: the height of the smallest text in pixels, fill: the share of
# the panel that boxes take}. `asked` is the nudged input, in the act Question the variable that a step tells of, in the backward pass the
# current variable; `path` are the boxes between it and z, in the backward pass the children. A box whose variable is not painted itself is
# the closed scope that holds it; a variable within a fold is not in view. In the acts of a network these are the boxes of its layers: the
# last is z, a chosen parameter is asked. Where all steps of the act Nudge are looked at, each input is chosen at the last: `step` is its
# name.
MEASURE = """async ([acts, few]) => {
    const graph = document.querySelector('#graph'), {run} = player;
    const paint = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    const after = run.variables.map(() => []);
    run.edges.forEach(({input, output}) => after[input].push(output));
    const reached = v => { const met = new Set([v]); for (const x of met) after[x].forEach(y => met.add(y)); return met };
    const leads = run.variables.map((_, v) => reached(v).has(run.z));
    const innermost = v => {
        const found = graph.querySelector(`#node-${v}`);
        if (found || !run.folded) return found;
        for (let k = run.folded.scopeOf[v]; k; k = run.folded.scopes[k].parent) {
            const closed = graph.querySelector(`#scope-${k}.closed`);
            if (closed) return closed;
        }
        return null;
    };
    const network = () => [...document.querySelectorAll('.layer, .parameter')].filter(e => e.checkVisibility());
    const rectangle = element => element.querySelector('.frame') ?? element.querySelector('rect');
    const body = element => (element.matches('.layer, .parameter') ? element : rectangle(element)).getBoundingClientRect();
    const whole = element => {
        if (!element) return false;
        const layer = element.matches('.layer, .parameter'), root = layer ? element.closest('.panel') : graph;
        const {left, right, top, bottom} = body(element), around = root.getBoundingClientRect();
        const inside = left >= Math.max(around.left, 0) - 1 && right <= Math.min(around.right, innerWidth) + 1
            && top >= Math.max(around.top, 0) - 1 && bottom <= Math.min(around.bottom, innerHeight) + 1;
        const points = [0.02, 0.5, 0.98].flatMap(p => [0.02, 0.98].map(q => [left + p * (right - left), top + q * (bottom - top)]));
        return inside && points.every(([x, y]) => root.contains(document.elementFromPoint(x, y)));
    };
    const scale = ({a, b}) => Math.hypot(a, b), seen = [];
    for (const act of acts) {
        const count = player.acts[act].length, steps = new Set([...Array(Math.min(few, count)).keys()]
            .map(k => count > 1 ? Math.round(k * (count - 1) / (Math.min(few, count) - 1)) : 0));
        for (const step of steps) {
            player.enter(act, step);
            await look(act, step + 1);
        }
        const inputs = act === 'nudge' && few >= count ? document.querySelectorAll('.chooser button').length : 0;
        for (let k = 0; k < inputs; k++) {
            const button = document.querySelectorAll('.chooser button')[k];
            button.click();
            await look(act, button.textContent);
        }
    }
    return seen;

    async function look(act, step) {
        await paint();
        const layers = network(), rows = layers.filter(e => e.matches('.layer'));
        if (layers.length) {
            const chosen = layers.filter(e => e.matches('.nudged, .chosen, .current, [aria-pressed=true]'));
            const texts = layers.flatMap(e => [...e.querySelectorAll('*')]).filter(e => e.checkVisibility() && !e.children.length
                && e.textContent.trim());
            seen.push({
                act, step, z: whole(rows.at(-1)), asked: chosen.every(whole), path: rows.every(whole),
                way: rows.every(whole), all: layers.every(whole), boxes: layers.length, fill: 0,
                text: Math.min(...texts.map(e => parseFloat(getComputedStyle(e).fontSize))),
            });
            return;
        }
        const {state: frame} = player, backward = act === 'backward';
        const told = frame.computed?.variable ?? frame.part?.computes.at(-1)?.variable;
        const asked = backward ? frame.current : frame.nudged ?? told ?? run.asked;
        const way = backward ? [...frame.tags.keys()] : [...(asked === undefined ? [] : reached(asked))].filter(v => leads[v]);
        const along = new Set([asked ?? run.z].filter(v => whole(innermost(v))));
        for (const x of along) after[x].forEach(y => whole(innermost(y)) && along.add(y));
        const boxes = [...graph.querySelectorAll('.node, .fold, .closed')].filter(e => e.checkVisibility());
        const texts = [...graph.querySelectorAll('text, tspan')].filter(e => e.checkVisibility() && e.textContent.trim()
            && !e.closest('.empty'));
        const panel = document.querySelector('#graph-panel').getBoundingClientRect(), view = graph.getBoundingClientRect();
        const area = boxes.map(body).reduce((sum, {left, right, top, bottom}) =>
            sum + Math.max(0, Math.min(right, view.right) - Math.max(left, view.left))
                * Math.max(0, Math.min(bottom, view.bottom) - Math.max(top, view.top)), 0);
        seen.push({
            act, step, z: whole(innermost(run.z)) || backward && boxes.some(e => e.matches('.fold') && whole(e)),
            asked: asked === undefined || whole(innermost(asked)),
            path: way.map(innermost).filter(Boolean).every(whole), way: along.has(run.z), all: boxes.every(whole), boxes: boxes.length,
            text: Math.min(...texts.map(e => parseFloat(getComputedStyle(e).fontSize) * scale(e.getScreenCTM()))),
            fill: area / (panel.width * panel.height),
        });
    }
}"""


def in_view(player, acts=ACTS, few=ALL):
    """Return what an open page shows at steps of its acts: see MEASURE. The page should have been opened with reduced motion."""
    player.page.wait_for_timeout(100)  # a page that was just opened, or resized, draws itself once more
    return player.page.evaluate(MEASURE, [list(acts), few])


def row(seen):
    """Return a table's row: of each act, in how many of its steps z, the asked input and its path are whole; in how many steps of the act
    Nudge a way is whole without a fold; texts, boxes, how full.
    """
    good = [[step["z"] and step["asked"] and step["path"] for step in seen if step["act"] == act] for act in ACTS]
    shares = "  ".join(f"{sum(found):>3}/{len(found):<3}" for found in good)
    whole, text, fill = (f([step[key] for step in seen]) for f, key in ((all, "all"), (min, "text"), (max, "fill")))
    boxes = max(step["boxes"] for step in seen)
    ways = [step["way"] for step in seen if step["act"] == "nudge"]
    return f"{shares}  {sum(ways):>3}/{len(ways):<3}  {text:5.1f} px  {boxes:>3}{' ' if whole else '+'} {100 * fill:3.0f} %"


def failed(seen):
    """Return what is not whole, and where: "nudge 3-7 path"."""
    found = {}
    for step in seen:
        if missing := [key for key in ("z", "asked", "path") if not step[key]]:
            found.setdefault((step["act"], "+".join(missing)), []).append(step["step"])
    return [f"{act} {','.join(map(str, steps))} {missing}" for (act, missing), steps in found.items()]


def program(name):
    """Return the function of this name in graphs_of_others.py, or of FILE.py:FUNCTION."""
    from tests.viz.graphs_of_others import PROGRAMS

    file, _, function = name.rpartition(":")
    if not file:
        if name not in PROGRAMS:
            raise SystemExit(f"in_view: {name!r} is not a program; there are figure1, {', '.join(PROGRAMS)}, and FILE.py:FUNCTION")
        return PROGRAMS[name]
    spec = spec_from_file_location(Path(file).stem, file)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, function)


def main(names):
    from playwright.sync_api import sync_playwright

    from tests.browser.conftest import installed, wait_for_player
    from tests.browser.player import Player
    from tests.viz.graphs import figure1_trace
    from tests.viz.graphs_of_others import PROGRAMS
    from viz import play

    print(f"{'':22}{'':12}{'  '.join(f'{act[:7]:7}' for act in ACTS)}  a way    smallest boxes fill (+: not all are in the window)")
    with sync_playwright() as driver, TemporaryDirectory() as folder:
        browser = driver.chromium.launch(**installed()[0])
        for name in names or ["figure1", *PROGRAMS]:
            file = Path(play(figure1_trace() if name == "figure1" else program(name)).save(Path(folder) / "page.html"))
            for width, height in SIZES:
                context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
                page = context.new_page()
                page.goto(file.as_uri())
                wait_for_player(page)
                seen = in_view(Player(page))
                print(f"{name[-21:]:22}{f'{width}×{height}':12}{row(seen)}", *failed(seen), sep="\n    ", flush=True)
                context.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="*", help="figure1, a name of graphs_of_others.py, or FILE.py:FUNCTION (default: all of them)")
    main(parser.parse_args().program)
