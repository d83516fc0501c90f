import { withAsciiDigits } from "./digits.ts";

/** Signs of direction, which keyboards of right-to-left scripts may add. */
const DIRECTION_SIGNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Digits alone, or in groups of three with one kind of separator. "0,123" is no group: it may mean a decimal. */
const WHOLE = /^\d+$|^[1-9]\d{0,2}([\s.,'’٬])\d{3}(?:\1\d{3})*$/;

/**
 * Reads a number as people type it: with the digits and separators of any language of the product. Returns it in units
 * of its last of `digits` decimal places, so that "1.5" with two places is 150. Undefined for anything else.
 */
export function readTypedNumber(typed: string, digits: number): number | undefined {
  const text = withAsciiDigits(typed).replace(DIRECTION_SIGNS, "").trim();
  const unsigned = text.replace(/^[-−]/, "");
  const [whole, decimals] = splitDecimals(unsigned, digits);
  // ".50" has no whole digits.
  if (!WHOLE.test(whole || (decimals && "0"))) return undefined;
  const value = Number(whole.replace(/\D/g, "") + decimals.padEnd(digits, "0"));
  if (!Number.isSafeInteger(value)) return undefined;
  return unsigned !== text && value !== 0 ? -value : value;
}

/**
 * Splits at the last separator when it can be the decimal one: at most `digits` digits follow, and no other separator
 * is the same. Spaces and apostrophes only separate groups.
 */
function splitDecimals(text: string, digits: number): [whole: string, decimals: string] {
  const [, whole = "", separator = "", decimals = ""] = /^(.*)([.,٫])(\d+)$/.exec(text) ?? [];
  const isDecimal = separator !== "" && decimals.length <= digits && !whole.includes(separator);
  return isDecimal ? [whole, decimals] : [text, ""];
}
