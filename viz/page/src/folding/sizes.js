// Sizes that the parts of the layout share, in pixels at scale 1.

export const DOWN = 16; // between things of a rank
export const TITLE = 32; // of an open scope
export const LANE = 14; // of a line that passes a rank
export const TURN = 7; // between turns
export const MOST_TURNS = 6; // beside each other
export const ASIDE = TURN * (MOST_TURNS + 2); // at the left and at the right of rows, for the turns
