import { join } from "node:path";
import { fail } from "../terminal.ts";

/** The names of `--weather`, and what each does. `weather.js` does it to the database, `mailbox.ts` to the mails. */
export const WEATHERS = {
  far: "a database 290 ms away",
  stalls: "a database that pauses for seconds now and then, and for a minute at times",
  lost: "one call of the database in ten loses its connection",
  free: "50 statements a request, and a line in the log for each that computes longer than 10 ms",
  mail: "a mail provider that takes 2 requests a second and 100 mails a day; it prints them here",
  down: "a database that does not answer",
} as const;

export type Weather = keyof typeof WEATHERS;

/** Modules that run in front of the built worker. The first is the entry. */
export const WEATHER_FRONT = ["front.js", "weather.js", "d1-calls.js"].map((file) =>
  join(import.meta.dirname, file),
);

/** Returns the weather of this name. Ends the command with all of them for any other name. */
export function readWeather(name: string | undefined): Weather | undefined {
  if (name === undefined || isWeather(name)) return name;
  const lines = Object.entries(WEATHERS).map(([known, text]) => `  ${known.padEnd(8)}${text}`);
  return fail(`There is no weather "${name}". There are:\n${lines.join("\n")}`);
}

function isWeather(name: string): name is Weather {
  return Object.hasOwn(WEATHERS, name);
}
