import { z } from "zod";
import { withAsciiDigits } from "./digits.ts";
import { Email } from "./email.ts";
import { EMAIL_MAX_LENGTH } from "./limits.ts";
import { CURRENCIES, digitsOf, type Money, readMoney } from "./money.ts";
import { dayOf, FIRST_DAY, LAST_DAY } from "./time.ts";
import { readTypedNumber } from "./typed-number.ts";
import { readWebUrl, WEB_URL_MAX_LENGTH } from "./web-url.ts";

// Fields of records, which read what forms post and what programs send as JSON. Their messages are references to
// texts. An optional field is null when it is absent, empty or null.

/** An entered value, or the reference of the message that refuses it. */
type Entry<T> = { value: T } | { error: string };

/** What the API's document says of a text. */
type TextFacts = { format?: string; maxLength?: number };

const REQUIRED = "validation:generic.required";
const NOT_ONE_LINE = "validation:text.invalid";
const NOT_WHOLE = "validation:number.whole";
const NO_URL = "validation:generic.invalidFormat.url";
const NO_DAY = "validation:generic.invalidFormat.date";
const NO_MOMENT = "validation:generic.invalidFormat.datetime";
const NO_CURRENCY = "validation:money.currency";

/** Ids are UUIDs, or 32 characters of better-auth. */
const ID_MAX_LENGTH = 64;

/** One line of text. */
export function requiredText(max: number) {
  return required(readLine(max), { maxLength: max });
}

export function optionalText(max: number) {
  return optional(readLine(max), { maxLength: max });
}

/** An optional text that keeps its line breaks. */
export function longText(max: number) {
  return optional(
    (typed) => {
      const text = typed.toWellFormed().replaceAll("\r\n", "\n");
      return text.length > max ? { error: tooLong(max) } : { value: text };
    },
    { maxLength: max },
  );
}

type Bounds = { min?: number; max?: number };

export function wholeNumber(bounds: Bounds = {}) {
  return numberInput(bounds).transform((input, context) =>
    settle(input === "" ? { error: REQUIRED } : readWhole(input, bounds), context),
  );
}

export function optionalWholeNumber(bounds: Bounds = {}) {
  return numberInput(bounds)
    .nullish()
    .transform((input, context) =>
      input === "" || input == null ? null : settle(readWhole(input, bounds), context),
    );
}

/** Reads the values of `MoneyField`: the amount as typed, then its currency. JSON has `MoneyJson` instead. */
export function moneyField() {
  return z.array(z.string(), { error: REQUIRED }).transform((values, context) => {
    const entry = readMoneyValues(values);
    return settle(entry === undefined ? { error: REQUIRED } : entry, context);
  });
}

export function optionalMoneyField() {
  return z
    .array(z.string())
    .nullish()
    .transform((values, context) => {
      const entry = readMoneyValues(values ?? []);
      return entry === undefined ? null : settle(entry, context);
    });
}

/** Of the type that `Money` has. */
const CODES: readonly string[] = CURRENCIES;

/** An amount of money in JSON. */
export const MoneyJson = z
  .object({
    amount: z.int().describe("In the currency's smallest unit, such as cents."),
    currency: z.enum(CODES),
  })
  .meta({ id: "Money" });

/** A calendar day, `YYYY-MM-DD`. */
export function dayField() {
  return required(readDay, { format: "date" });
}

export function optionalDayField() {
  return optional(readDay, { format: "date" });
}

/** A moment. Without a time zone it is in UTC, as `MomentField` posts it. */
export function momentField() {
  return required(readMoment, { format: "date-time" });
}

export function optionalMomentField() {
  return optional(readMoment, { format: "date-time" });
}

export function choiceField<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, {
    // Another value is refused by the general message, which lists the choices for programs.
    error: ({ input }) =>
      input == null || input === "" ? "validation:choice.required" : undefined,
  });
}

/** A checkbox, which posts "yes" or nothing. */
export function yesNoField() {
  return z
    .union([z.boolean(), z.enum(["yes", ""])])
    .nullish()
    .transform((input) => input === true || input === "yes");
}

export function emailField() {
  return Email;
}

export function optionalEmailField() {
  return optional(readEmail, { format: "email", maxLength: EMAIL_MAX_LENGTH });
}

/** A URL of the web. One without its scheme gets https. */
export function urlField() {
  return required(readUrl, { maxLength: WEB_URL_MAX_LENGTH });
}

export function optionalUrlField() {
  return optional(readUrl, { maxLength: WEB_URL_MAX_LENGTH });
}

/** The id of another row. Whether there is one, the database knows. */
export function idField() {
  return requiredText(ID_MAX_LENGTH);
}

export function optionalIdField() {
  return optionalText(ID_MAX_LENGTH);
}

function required<T>(read: (typed: string) => Entry<T>, facts: TextFacts) {
  return z
    .string({ error: REQUIRED })
    .meta({ ...facts })
    .transform((input, context) => {
      const typed = input.trim();
      return settle(typed === "" ? { error: REQUIRED } : read(typed), context);
    });
}

function optional<T>(read: (typed: string) => Entry<T>, facts: TextFacts) {
  return z
    .string()
    .meta({ ...facts })
    .nullish()
    .transform((input, context) => {
      const typed = input?.trim();
      return typed ? settle(read(typed), context) : null;
    });
}

/** Returns the value, or reports the error. */
function settle<T>(entry: Entry<T>, context: z.RefinementCtx): T {
  if ("value" in entry) return entry.value;
  context.addIssue({ code: "custom", message: entry.error });
  return z.NEVER;
}

function readLine(max: number) {
  return (typed: string): Entry<string> => {
    const text = typed.toWellFormed().normalize("NFC");
    if (text.length > max) return { error: tooLong(max) };
    return /[\p{Cc}\u2028\u2029]/u.test(text) ? { error: NOT_ONE_LINE } : { value: text };
  };
}

/** A form posts a text, and JSON has a number. */
function numberInput({ min, max }: Bounds) {
  return z.union(
    [z.number().meta({ type: "integer", minimum: min, maximum: max }), z.string().trim()],
    { error: ({ input }) => (input == null ? REQUIRED : NOT_WHOLE) },
  );
}

function readWhole(input: string | number, { min, max }: Bounds): Entry<number> {
  const value = typeof input === "string" ? readTypedNumber(input, 0) : input;
  if (value === undefined || !Number.isSafeInteger(value)) return { error: NOT_WHOLE };
  if (min !== undefined && value < min) {
    return { error: `validation:generic.tooSmall.number.inclusive?minimum=${min}` };
  }
  if (max !== undefined && value > max) {
    return { error: `validation:generic.tooBig.number.inclusive?maximum=${max}` };
  }
  return { value };
}

/** Undefined when no amount is typed: the select always posts its currency. */
function readMoneyValues(values: readonly string[]): Entry<Money> | undefined {
  // As `typedMoney` joins them. An amount may have commas too.
  const [, typed, last = ""] = /^(?:(.*),)?([^,]*)$/.exec(values.join(",").trim()) ?? [];
  const currency = last.trim();
  if (!typed?.trim() && (currency === "" || isCurrency(currency))) return undefined;
  if (!isCurrency(currency)) return { error: NO_CURRENCY };
  const money = readMoney(typed ?? "", currency);
  return money
    ? { value: money }
    : { error: `validation:money.invalid?example=${exampleIn(currency)}` };
}

function isCurrency(text: string): boolean {
  return CURRENCIES.some((currency) => currency === text);
}

function exampleIn(currency: string): string {
  return (120.5).toFixed(digitsOf(currency));
}

function readDay(typed: string): Entry<string> {
  const { data: day } = z.iso.date().safeParse(withAsciiDigits(typed));
  return day === undefined ? { error: NO_DAY } : inYears(day, day);
}

const Moment = z.iso.datetime({ offset: true, local: true });

function readMoment(typed: string): Entry<Date> {
  const { data: text } = Moment.safeParse(typed);
  if (text === undefined) return { error: NO_MOMENT };
  const moment = new Date(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
  return inYears(moment, dayOf(moment));
}

function inYears<T>(value: T, day: string): Entry<T> {
  if (day >= FIRST_DAY && day <= LAST_DAY) return { value };
  const range = new URLSearchParams({ first: FIRST_DAY, last: LAST_DAY });
  return { error: `validation:day.range?${range}` };
}

function readEmail(typed: string): Entry<string> {
  const { data: email, error } = Email.safeParse(typed);
  const [issue] = error?.issues ?? [];
  return issue ? { error: issue.message } : { value: email ?? "" };
}

function readUrl(typed: string): Entry<string> {
  if (typed.length > WEB_URL_MAX_LENGTH) return { error: tooLong(WEB_URL_MAX_LENGTH) };
  const url = readWebUrl(typed);
  return url === undefined ? { error: NO_URL } : { value: url };
}

function tooLong(max: number): string {
  return `validation:tooLong?maximum=${max}`;
}
