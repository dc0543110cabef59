/** The reversible pebble game: counts, moves, and the schedules played with it. */
export { bennettCounts, halving, type BennettCounts } from "./bennett.js";
export { referee, type Played } from "./check.js";
export { play, type Move, type Strategy } from "./game.js";
export { cleanPebbles, Optimum, reachPebbles, reversalPebbles, type Game } from "./optimum.js";
export { bennett, pebble } from "./schedule.js";
