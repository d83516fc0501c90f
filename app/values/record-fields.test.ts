import { expect, test } from "vitest";
import { z } from "zod";
import { fieldsOf, readFields } from "../http/form-fields.ts";
import { describeIssue } from "../i18n/zod-messages.ts";
import {
  choiceField,
  dayField,
  emailField,
  idField,
  longText,
  MoneyJson,
  momentField,
  moneyField,
  optionalDayField,
  optionalEmailField,
  optionalIdField,
  optionalMomentField,
  optionalMoneyField,
  optionalText,
  optionalUrlField,
  optionalWholeNumber,
  requiredText,
  urlField,
  wholeNumber,
  yesNoField,
} from "./record-fields.ts";

const REQUIRED = "validation:generic.required";
const NO_LINE = "validation:text.invalid";
const NO_NUMBER = "validation:number.whole";
const NO_DAY = "validation:generic.invalidFormat.date";
const NO_MOMENT = "validation:generic.invalidFormat.datetime";
const NO_URL = "validation:generic.invalidFormat.url";
const OUT_OF_YEARS = "validation:day.range?first=1900-01-01&last=2199-12-31";
const NOON = new Date("2026-11-28T12:00:00Z");

const optionals: [string, z.ZodType][] = [
  ["optionalText", optionalText(5)],
  ["longText", longText(5)],
  ["optionalWholeNumber", optionalWholeNumber()],
  ["optionalDayField", optionalDayField()],
  ["optionalMomentField", optionalMomentField()],
  ["optionalEmailField", optionalEmailField()],
  ["optionalUrlField", optionalUrlField()],
  ["optionalIdField", optionalIdField()],
];

test.each(optionals)("%s is null when it is absent, empty or null", (_, schema) => {
  expect([undefined, "", " \r\n ", null].map((input) => schema.parse(input))).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

const requireds: [string, z.ZodType, message: string][] = [
  ["requiredText", requiredText(5), REQUIRED],
  ["wholeNumber", wholeNumber(), REQUIRED],
  ["dayField", dayField(), REQUIRED],
  ["momentField", momentField(), REQUIRED],
  ["emailField", emailField(), "validation:email.required"],
  ["urlField", urlField(), REQUIRED],
  ["idField", idField(), REQUIRED],
  ["choiceField", choiceField(["draft", "sent"]), "validation:choice.required"],
];

test.each(requireds)("%s is refused when it is absent, empty or null", (_, schema, message) => {
  for (const input of [undefined, "", null]) expect(messagesOf(schema, input)).toEqual([message]);
});

const accepted: [string, z.ZodType, input: unknown, value: unknown][] = [
  ["requiredText", requiredText(5), "  e\u0301cole ", "école"],
  ["requiredText", requiredText(5), "a\ud800", "a\ufffd"],
  ["optionalText", optionalText(5), " gate ", "gate"],
  ["longText", longText(9), " one\r\n\ttwo\n", "one\n\ttwo"],
  ["wholeNumber", wholeNumber(), "42", 42],
  ["wholeNumber", wholeNumber(), " -1,234 ", -1234],
  ["wholeNumber", wholeNumber(), "٤٢", 42],
  ["wholeNumber", wholeNumber({ min: 0, max: 9 }), 0, 0],
  ["optionalWholeNumber", optionalWholeNumber({ min: 0 }), "0", 0],
  ["dayField", dayField(), "2028-02-29", "2028-02-29"],
  ["dayField", dayField(), "٢٠٢٨-٠٢-٢٩", "2028-02-29"],
  ["optionalDayField", optionalDayField(), "1900-01-01", "1900-01-01"],
  ["momentField", momentField(), "2026-11-28T12:00", NOON],
  ["momentField", momentField(), "2026-11-28T12:00:00.000Z", NOON],
  ["momentField", momentField(), "2026-11-28T15:00:00+03:00", NOON],
  ["optionalMomentField", optionalMomentField(), "2026-11-28T12:00:00", NOON],
  ["choiceField", choiceField(["draft", "sent"]), "sent", "sent"],
  ["yesNoField", yesNoField(), "yes", true],
  ["yesNoField", yesNoField(), true, true],
  ["yesNoField", yesNoField(), undefined, false],
  ["yesNoField", yesNoField(), "", false],
  ["yesNoField", yesNoField(), null, false],
  ["yesNoField", yesNoField(), false, false],
  ["emailField", emailField(), " Ada@Example.com", "ada@example.com"],
  ["optionalEmailField", optionalEmailField(), "Ada@Example.com ", "ada@example.com"],
  ["urlField", urlField(), " example.com/x ", "https://example.com/x"],
  ["optionalUrlField", optionalUrlField(), "http://example.com", "http://example.com/"],
  ["idField", idField(), "x".repeat(64), "x".repeat(64)],
  ["optionalIdField", optionalIdField(), "i1", "i1"],
];

test.each(accepted)("%s %# accepts it", (_, schema, input, value) => {
  expect(schema.parse(input)).toEqual(value);
});

const refused: [string, z.ZodType, input: unknown, message: string][] = [
  ["requiredText", requiredText(5), "gates!", "validation:tooLong?maximum=5"],
  ["requiredText", requiredText(5), "a\nb", NO_LINE],
  ["requiredText", requiredText(5), 5, REQUIRED],
  ["optionalText", optionalText(5), "a\u0000b", NO_LINE],
  ["longText", longText(5), "gates!", "validation:tooLong?maximum=5"],
  ["wholeNumber", wholeNumber(), "1.5", NO_NUMBER],
  ["wholeNumber", wholeNumber(), 1.5, NO_NUMBER],
  ["wholeNumber", wholeNumber(), 1.234, NO_NUMBER],
  ["wholeNumber", wholeNumber(), "ten", NO_NUMBER],
  ["wholeNumber", wholeNumber(), Number.NaN, NO_NUMBER],
  ["wholeNumber", wholeNumber(), true, NO_NUMBER],
  ["wholeNumber", wholeNumber(), "9007199254740993", NO_NUMBER],
  [
    "wholeNumber",
    wholeNumber({ min: 1 }),
    "0",
    "validation:generic.tooSmall.number.inclusive?minimum=1",
  ],
  [
    "optionalWholeNumber",
    optionalWholeNumber({ max: 9 }),
    10,
    "validation:generic.tooBig.number.inclusive?maximum=9",
  ],
  ["dayField", dayField(), "2026-02-29", NO_DAY],
  ["dayField", dayField(), "28.11.2026", NO_DAY],
  ["dayField", dayField(), "1899-12-31", OUT_OF_YEARS],
  ["optionalDayField", optionalDayField(), "2200-01-01", OUT_OF_YEARS],
  ["momentField", momentField(), "2026-11-28", NO_MOMENT],
  ["momentField", momentField(), "2026-02-30T12:00", NO_MOMENT],
  ["optionalMomentField", optionalMomentField(), "2026-11-28T25:00", NO_MOMENT],
  ["momentField", momentField(), "0026-11-28T12:00", OUT_OF_YEARS],
  [
    "choiceField",
    choiceField(["draft", "sent"]),
    "lost",
    "validation:generic.invalidOption?options=draft%2C+sent",
  ],
  ["yesNoField", yesNoField(), "maybe", "validation:generic.invalidUnion"],
  ["emailField", emailField(), "ada", "validation:email.invalid"],
  ["optionalEmailField", optionalEmailField(), "ada", "validation:email.invalid"],
  ["urlField", urlField(), "javascript:alert(1)", NO_URL],
  ["urlField", urlField(), "https://ada:secret@example.com", NO_URL],
  ["urlField", urlField(), "gate", NO_URL],
  ["optionalUrlField", optionalUrlField(), "ftp://example.com", NO_URL],
  ["urlField", urlField(), `a.b/${"x".repeat(2_045)}`, "validation:tooLong?maximum=2048"],
  ["idField", idField(), "x".repeat(65), "validation:tooLong?maximum=64"],
];

test.each(refused)("%s %# refuses it", (_, schema, input, message) => {
  expect(messagesOf(schema, input)).toEqual([message]);
});

const moneys: [string[] | undefined, unknown][] = [
  [["120.50", "EUR"], { amount: 12_050, currency: "EUR" }],
  [["١٢٠", "KWD"], { amount: 120_000, currency: "KWD" }],
  [["EUR"], undefined],
  [["", "EUR"], undefined],
  [[], undefined],
  [undefined, undefined],
  [["120.50"], "validation:money.currency"],
  [["120.50", "XXX"], "validation:money.currency"],
  [["EUR", "120.50"], "validation:money.currency"],
  [["much", "EUR"], "validation:money.invalid?example=120.50"],
  [["1.5", "KRW"], "validation:money.invalid?example=121"],
  [["1", "EUR", "2"], "validation:money.currency"],
  [["1,234.50,EUR"], { amount: 123_450, currency: "EUR" }],
];

test.each(moneys)("an amount posted as %j is %j", (posted, expected) => {
  const form = new FormData();
  for (const value of posted ?? []) form.append("price", value);
  const isRefused = typeof expected === "string";

  for (const field of [moneyField(), optionalMoneyField()]) {
    const schema = z.object({ price: field });
    const input = readFields(form, fieldsOf(schema));
    const price = schema.safeParse(input).data?.price ?? undefined;
    expect(price).toEqual(isRefused ? undefined : expected);
    if (isRefused) expect(messagesOf(schema, input)).toEqual([expected]);
  }
});

test("an amount that is not typed is null or refused", () => {
  for (const values of [["EUR"], [], undefined]) {
    expect(optionalMoneyField().parse(values)).toBeNull();
    expect(messagesOf(moneyField(), values)).toEqual([REQUIRED]);
  }
  expect(optionalMoneyField().parse(null)).toBeNull();
});

test("an amount in JSON is a whole number of a known currency", () => {
  const money = { amount: -12_050, currency: "EUR" };

  expect(MoneyJson.parse(money)).toEqual(money);
  expect(MoneyJson.safeParse({ amount: 1.5, currency: "EUR" }).success).toBe(false);
  expect(MoneyJson.safeParse({ amount: 1, currency: "eur" }).success).toBe(false);
});

test("the API's document says what each field takes", () => {
  const schema = z.object({
    title: requiredText(80),
    count: wholeNumber({ min: 1, max: 9 }),
    due: dayField(),
    note: longText(500),
  });

  expect(z.toJSONSchema(schema, { io: "input" })).toMatchObject({
    required: ["title", "count", "due"],
    properties: {
      title: { type: "string", maxLength: 80 },
      count: { anyOf: [{ type: "integer", minimum: 1, maximum: 9 }, { type: "string" }] },
      due: { type: "string", format: "date" },
      note: { anyOf: [{ type: "string", maxLength: 500 }, { type: "null" }] },
    },
  });
});

function messagesOf(schema: z.ZodType, input: unknown): string[] {
  const { error } = schema.safeParse(input, { error: describeIssue });
  return error?.issues.map(({ message }) => message) ?? [];
}
