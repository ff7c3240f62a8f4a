// What Python writes into the page: viz/page/page_data.py and, for explore, viz/large_graphs/graph_data.py. A place is an index of `strings`,
// which hold MathML; a sentence names places as $7$. A label is runs of text, each with its kind: "", "sub" or "sup".

type Place = number;
type Label = [text: string, kind: string][];
type Shade = string; // a letter: from −16 to 16 in base 36

interface ArrayPicture {
  cells: Shade[]; columns: number; across: number; bar: string; labels: string[]; zero?: number; note?: string;
  rings?: number[];
}

interface Variable {
  name: string; written: Place; total: Place; text: string; mathml: Place;
  data: any; // a number, rows of numbers, or null
  n?: number; shape: number[]; function: string | null; formula: Place | null; equation: string | null; label: Label;
  totalLabel: Label; formulaLabel: Label | null; inputs: number[]; cells?: string[][]; picture?: ArrayPicture;
  array?: number; summary?: string; madeAt?: string; remarks?: [fact: string, more?: string][];
  mark?: [kind: string, label: string, short: string, closed?: string];
}

interface Edge {
  input: number; output: number; slot: number; ratio: Place; text: string; label: Label; partial: number;
  chain: Place[];
}

interface Quantity {
  text: string; mathml: Place; number: any; n?: number; symbol: Place | null; shape?: number[]; cells?: string[][];
  picture?: ArrayPicture; array?: number; summary?: string;
}

interface Step {
  act: string; iteration: number; known: number; said: string; why: string; whyCases?: any; where?: string;
  remarks?: [fact: string, more?: string][];
  line?: number; code?: number; x?: number; y?: number; edge?: number; path?: number[]; partial?: number;
  upstream?: number; term?: number; total?: number; factors?: (Place | null)[][];
  given?: [edge: number, factors: (Place | null)[][]][]; pending?: Record<string, number>; ready?: number[];
  ordering?: number[]; rows?: [row: number, cells: string[]][]; place?: number;
}

interface Question {
  step: number; variable: number; asked: Place; which: string; right: (number | string)[]; exact: boolean; why: string;
  hint: string; edges: number[];
  mistakes: [numbers: (number | string)[], kind: string, said: string, edges: number[]][];
}

interface Computed {
  variable: number; numbers: Place;
}

interface QuestionPart {
  label: string | null; variable: number | null; said: string; words: string[]; computes: Computed[];
}

interface Insertion {
  variable: number; total: number;
}

// viz/page/live/program.py
interface LiveProgram {
  inputs: number[]; start: number[]; values(x: number[]): number[]; partials(values: number[]): number[];
  totals(partials: number[]): number[]; numbers?(values: number[], partials: number[]): number[];
  conditions?(values: number[]): any[]; choosing?: number[];
}

// viz/page/scenes/text_sizes.py
interface Look {
  fonts: Record<string, number>; smallest: number; head: number; foot: number; row: number; side: number;
  stacked: boolean; compact: boolean; turned: boolean; across?: number;
}

interface OtherLoop {
  python: string[]; steps: Partial<Step>[]; insertions: Insertion[]; raised: boolean;
  first: { step: number; said: string } | null;
}

interface Memory {
  arrays: any[]; bytes: number[]; measured: number[] | null; said: string[]; note: string; turns: number[];
  forward: number;
}

interface Slide {
  act: string; step: number | string; heading: string; note: string; table?: boolean;
}

// viz/page/scenes/slide_scenes.py
interface SlideScenes {
  beside?: boolean; scenes?: any[]; of?: number[]; onPhone?: { scenes: any[]; of: number[] };
}

interface PageData {
  z: number; order: number[]; inputs: number[]; asked: number; variables: Variable[]; edges: Edge[]; steps: Step[];
  insertions: Insertion[]; quantities: Quantity[]; strings: string[]; question: QuestionPart[]; questions: Question[];
  answers?: [n: number, path: (string | number)[]][]; mistakeKinds: Record<string, string>;
  glossary: Record<string, { title: string; meaning: string; pattern: string }>;
  letters: { x: string; y: string; c: string }; keeps: string[]; scatters: boolean; tensors: boolean;
  listing: { line: number; text: string }[]; python: string[]; scene: { whole?: any; narrow?: any; near?: any; nearNarrow?: any; ways?: any[] } & SlideScenes;
  notFinite: { variable?: number; edge?: number } | null; marks?: [kind: string, label: string][];
  table?: { title: string; note: string; columns: string[]; rows: { variable: number | null; cells: string[] }[] };
  folded?: any; arrays?: any[]; functionNodes?: boolean; compares?: boolean;
  gradient?: number[]; // of the inputs, as the tensors computed it
  memory?: Memory; beside?: OtherLoop; slides?: Slide[]; program?: string; notLive?: string;
  scalarGraphs?: Record<string, PageData>; loops?: Loop[]; about?: string; entryGraph?: EntryGraph; network?: NetworkData;
  // Of one pass of a loop: loops/passes.js
  opening?: string; passes?: number[]; pass?: number; many?: number; of?: string; constants?: number[];
  // Only at other numbers: replay.js
  numbers?: number[]; start?: number[]; address?: string;
}

// A folded loop: viz/page/inner_graphs.py. `graphs` are those of its passes, together as loops/passes.js takes them apart.
interface Loop {
  many: number; opening: string; shown: Record<string, [first: number, last: number]>; passes: number[]; graphs: any; live: any;
}

// The graph of a graph of arrays in single numbers: viz/page/page_data.py
interface EntryGraph extends Partial<PageData> {
  places: (number | null)[][][];
}

// A graph of arrays as a network: viz/page/network_data.py
interface NetworkProgram {
  operations: any[]; sizes: number[]; data: Record<string, string>; leaves: number[]; z: number;
}

interface NetworkBox {
  shows: number; holds: number[]; name: string; scope?: string; boxes?: NetworkBox[];
}

interface NetworkData {
  boxes: NetworkBox[]; given: any[]; leaves: number[]; entries: number; z: number | null; program: NetworkProgram | null;
  why?: string; carried: Record<string, { entry: number; value: number | null; slope: number; square: number; curve?: [number, number | null][] }>;
}

interface GraphNode {
  kind: string; name: string; inputs: number[]; scope: number; wide: number; high: number; [more: string]: any;
}

interface GraphScope {
  name: string; parent: number | null; ranks: any[]; open?: boolean; wide?: number; high?: number; [more: string]: any;
}

interface GraphData {
  nodes: GraphNode[]; scopes: GraphScope[]; z: number | null; about?: string;
}

// The page's own: its programs, and what is open to the console and to the tests.
declare function programsOf(functions: Record<string, Function>): Record<string, LiveProgram>;

interface Window {
  player: any; explorer: any;
}
