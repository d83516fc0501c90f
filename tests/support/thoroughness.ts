/** `npm run test:full` runs what the gate leaves out: every round of every race, every combination of `matrix.ts`. */
export const isFull = process.env.GATEHOUSE_TESTS === "full";

/** How often a race is run. Three rounds in the gate find a race that is lost often; twenty find a rare one. */
export const RACE_ROUNDS = isFull ? 20 : 3;
