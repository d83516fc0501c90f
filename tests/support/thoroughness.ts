/** `npm run test:full` runs what the gate leaves out: every round of every race, every combination of `matrix.ts`. */
export const isFull = process.env.GATEHOUSE_TESTS === "full";

/** The number of rounds of a race test. Two rounds in the gate find a frequent race; twenty find a rare one. */
export const RACE_ROUNDS = isFull ? 20 : 2;
