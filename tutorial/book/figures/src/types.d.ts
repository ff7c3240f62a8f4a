// What a figure is: functions of its state.

type State = Record<string, any>;
type Pair = number[];

interface Figure {
  does: string; // what the reader does, as a heading
  hint: string;
  wide?: boolean; // as wide as the window allows, not as the text
  start: State;
  still: State; // the state of the picture for print
  others: State[]; // two states at which a test compares the numbers with the engine
  facts: (state: State) => Record<string, any>; // the numbers that it shows
  says: (state: State) => string; // a sentence as HTML
  picture: (state: State, wide: number) => string; // as SVG
  controls: Control[];
  drag?: (state: State, place: Pair, wide: number, name: string) => State; // the state when a handle was dragged to a place
  press?: (state: State, way: Pair, name: string) => State; // … and when a key moved it by so many steps
  choose?: (state: State, at: string) => State; // the state when a part of the picture was clicked, or Enter pressed on it
  walk?: (state: State, way: Pair) => State; // the state after an arrow key that moves nothing else
  point?: (state: State, at: string) => State; // the state when a part was pointed at, or got the focus
  beside?: (state: State, at: string, way: Pair) => string; // what an arrow key goes to from there
}

type Control =
  | { play: string; tick: (state: State) => State; idle: (state: State) => boolean; calm: number } // `calm`: steps at once, if motion is reduced
  | { press: string | ((state: State) => string); label?: string; change: (state: State) => State; idle?: (state: State) => boolean }
  | Shown<number> & { slide: string; min?: number; max: number; step?: number; written?: (value: any, state: State) => string }
  | Shown<any> & { choose: string; options: any[][]; idle?: (state: State) => boolean }; // pairs of a value and its text, which may be left out

// What a control shows and changes: the field `of` the state, unless `value` and `change` say otherwise.
type Shown<T> = { of?: string; value?: (state: State) => T; change?: (state: State, value: T) => State };

declare const figures: Record<string, Record<string, Figure>>; // what each figure's script exports: the figure, by its name
