/** `npm run test:full` runs what the gate leaves out: every round of every race, axe in every language. */
export const isFull = process.env.GATEHOUSE_TESTS === "full";

/** How often a race is run. Three rounds in the gate find a race that is lost often; twenty find a rare one. */
export const RACE_ROUNDS = isFull ? 20 : 3;
