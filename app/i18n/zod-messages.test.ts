import { createInstance } from "i18next";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { joinTexts } from "../../scripts/join-texts.ts";
import { describeIssue } from "./zod-messages.ts";

const { localeError } = z.config();

afterEach(() => {
  z.config({ localeError });
});

type Case = [what: string, schema: z.ZodType, input: unknown, expected: string];

const jwt = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9";
const twoBytes = new File(["ab"], "two.txt", { type: "text/plain" });
const newYear = new Date("2026-01-01T00:00:00.000Z");
const NEW_YEAR_MS = "1767225600000";

const cases: Case[] = [
  ["a missing text", z.string(), undefined, "required"],
  ["a missing number", z.number(), undefined, "required"],
  ["a missing object", z.object({}), undefined, "required"],
  ["a missing option", z.enum(["a", "b"]), undefined, "required"],
  ["a missing literal", z.literal("a"), undefined, "required"],
  ["a missing union", z.union([z.string(), z.number()]), undefined, "required"],
  ["a missing nonoptional", z.nonoptional(z.string().optional()), undefined, "required"],
  ["a missing file", z.instanceof(File), undefined, "required"],
  ["a missing discriminator", intents(), {}, "required"],
  ["an empty required text", z.string().min(1), "", "required"],

  ["a number for a text", z.string(), 4, "invalidType?expected=string&received=number"],
  ["null for a text", z.string(), null, "invalidType?expected=string&received=null"],
  ["a text for a number", z.number(), "4", "invalidType?expected=number&received=string"],
  ["not a number", z.number(), Number.NaN, "invalidType?expected=number&received=nan"],
  ["a decimal for an integer", z.int(), 1.5, "invalidType?expected=integer&received=float"],
  ["a text for a bigint", z.bigint(), "4", "invalidType?expected=bigint&received=string"],
  ["a bigint for a boolean", z.boolean(), 4n, "invalidType?expected=boolean&received=bigint"],
  ["a boolean for a symbol", z.symbol(), true, "invalidType?expected=symbol&received=boolean"],
  ["a symbol for null", z.null(), Symbol("a"), "invalidType?expected=null&received=symbol"],
  ["an object for undefined", z.undefined(), {}, "invalidType?expected=undefined&received=object"],
  ["a date for void", z.void(), newYear, "invalidType?expected=undefined&received=date"],
  ["an array for an object", z.object({}), [], "invalidType?expected=object&received=array"],
  [
    "a map for a record",
    z.record(z.string(), z.string()),
    new Map(),
    "invalidType?expected=object&received=map",
  ],
  ["a set for an array", z.array(z.string()), new Set(), "invalidType?expected=array&received=set"],
  [
    "a function for a tuple",
    z.tuple([z.string()]),
    () => 1,
    "invalidType?expected=array&received=function",
  ],
  [
    "a pattern for a map",
    z.map(z.string(), z.string()),
    /a/,
    "invalidType?expected=map&received=unknown",
  ],
  ["a file for a set", z.set(z.string()), twoBytes, "invalidType?expected=set&received=file"],
  ["a text for a date", z.date(), "2026", "invalidType?expected=date&received=string"],
  ["a text for a file", z.file(), "a", "invalidType?expected=file&received=string"],
  ["a text for an instance", z.instanceof(File), "a", "invalidType?expected=file&received=string"],
  ["a text for NaN", z.nan(), "a", "invalidType?expected=nan&received=string"],
  [
    "a bare object for a text",
    z.string(),
    Object.create(null),
    "invalidType?expected=string&received=object",
  ],
  ["an impossible date", z.date(), new Date("no"), "invalidDate"],
  ["an endless number", z.number(), Number.POSITIVE_INFINITY, "notFinite"],
  ["a negative endless number", z.number(), Number.NEGATIVE_INFINITY, "notFinite"],
  ["something where nothing may be", z.never(), "a", "custom"],
  ["nothing where nothing may be", z.never(), undefined, "custom"],

  ["another literal", z.literal("a & b"), "c", "invalidValue?expected=a+%26+b"],
  ["another number", z.literal(4), 5, "invalidValue?expected=4"],
  ["an unknown option", z.enum(["a", "b"]), "c", "invalidOption?options=a%2C+b"],
  ["an unknown discriminator", intents(), { intent: "c" }, "invalidOption?options=a%2C+b"],
  [
    "a file of another kind",
    z.file().mime("image/png"),
    twoBytes,
    "invalidValue?expected=image%2Fpng",
  ],
  ["an unknown key", z.strictObject({}), { a: 1, b: 2 }, "unrecognizedKeys?keys=a%2C+b"],
  ["no part of a union", z.union([z.string(), z.number()]), true, "invalidUnion"],
  ["two parts of an exclusive union", z.xor([z.string(), z.string()]), "a", "invalidUnion"],
  ["a wrong key of a record", z.record(z.email(), z.string()), { a: "b" }, "invalidKey"],
  [
    "a wrong key of a map",
    z.map(z.object({ a: z.int() }), z.string()),
    new Map([[{ a: 1.5 }, "b"]]),
    "invalidKey",
  ],
  ["a wrong value of a map", z.map(z.object({}), z.int()), new Map([[{}, 1.5]]), "invalidElement"],
  ["a refused value", z.string().refine(() => false), "a", "custom"],
  ["not a multiple", z.number().multipleOf(5), 4, "notMultipleOf?multipleOf=5"],
  ["not a multiple of a bigint", z.bigint().multipleOf(5n), 4n, "notMultipleOf?multipleOf=5"],

  ["too short a text", z.string().min(4), "abc", "tooSmall.string.inclusive?minimum=4"],
  ["too long a text", z.string().max(2), "abc", "tooBig.string.inclusive?maximum=2"],
  [
    "a text shorter than its length",
    z.string().length(6),
    "abc",
    "tooSmall.string.exact?minimum=6",
  ],
  ["a text longer than its length", z.string().length(2), "abc", "tooBig.string.exact?maximum=2"],
  ["a text of one missing character", z.string().length(1), "", "tooSmall.string.exact?minimum=1"],
  ["too small a number", z.number().min(4), 3, "tooSmall.number.inclusive?minimum=4"],
  ["a number at its open minimum", z.number().gt(4), 4, "tooSmall.number.exclusive?minimum=4"],
  ["too big a number", z.number().max(4), 5, "tooBig.number.inclusive?maximum=4"],
  ["a number at its open maximum", z.number().lt(4), 4, "tooBig.number.exclusive?maximum=4"],
  ["an unsafe integer", z.int(), 2 ** 60, "tooBig.number.inclusive?maximum=9007199254740991"],
  ["too small a bigint", z.bigint().min(4n), 3n, "tooSmall.number.inclusive?minimum=4"],
  ["too few items", z.array(z.int()).min(1), [], "tooSmall.array.inclusive?minimum=1"],
  ["too many items", z.array(z.int()).max(1), [1, 2], "tooBig.array.inclusive?maximum=1"],
  ["fewer items than asked", z.array(z.int()).length(2), [1], "tooSmall.array.exact?minimum=2"],
  ["more items than asked", z.array(z.int()).length(1), [1, 2], "tooBig.array.exact?maximum=1"],
  ["too short a tuple", z.tuple([z.int()]), [], "tooSmall.array.inclusive?minimum=1"],
  ["too small a set", z.set(z.int()).min(1), new Set(), "tooSmall.set.inclusive?minimum=1"],
  ["too big a set", z.set(z.int()).max(1), new Set([1, 2]), "tooBig.set.inclusive?maximum=1"],
  ["a set smaller than asked", z.set(z.int()).size(1), new Set(), "tooSmall.set.exact?minimum=1"],
  [
    "a set bigger than asked",
    z.set(z.int()).size(1),
    new Set([1, 2]),
    "tooBig.set.exact?maximum=1",
  ],
  [
    "too small a map",
    z.map(z.int(), z.int()).min(1),
    new Map(),
    "tooSmall.set.inclusive?minimum=1",
  ],
  ["too small a file", z.file().min(3), twoBytes, "tooSmall.file.inclusive?minimum=3"],
  ["too big a file", z.file().max(1), twoBytes, "tooBig.file.inclusive?maximum=1"],
  [
    "a file smaller than asked",
    z.file().check(z.size(3)),
    twoBytes,
    "tooSmall.file.exact?minimum=3",
  ],
  ["a file bigger than asked", z.file().check(z.size(1)), twoBytes, "tooBig.file.exact?maximum=1"],
  [
    "too early a date",
    z.date().min(newYear),
    new Date(0),
    `tooSmall.date.inclusive?minimum=${NEW_YEAR_MS}`,
  ],
  [
    "a date at its open minimum",
    z.date().check(z.gt(newYear)),
    newYear,
    `tooSmall.date.exclusive?minimum=${NEW_YEAR_MS}`,
  ],
  ["too late a date", z.date().max(new Date(0)), newYear, "tooBig.date.inclusive?maximum=0"],
  [
    "a date at its open maximum",
    z.date().check(z.lt(newYear)),
    newYear,
    `tooBig.date.exclusive?maximum=${NEW_YEAR_MS}`,
  ],

  ["an e-mail", z.email(), "a", "invalidFormat.email"],
  ["a URL", z.url(), "a", "invalidFormat.url"],
  ["a UUID", z.uuid(), "a", "invalidFormat.uuid"],
  ["a UUID of version 7", z.uuidv7(), "a", "invalidFormat.uuid"],
  ["a GUID", z.guid(), "a", "invalidFormat.uuid"],
  ["a date and time", z.iso.datetime(), "a", "invalidFormat.datetime"],
  ["a day", z.iso.date(), "a", "invalidFormat.date"],
  ["a time", z.iso.time(), "a", "invalidFormat.time"],
  ["a duration", z.iso.duration(), "a", "invalidFormat.duration"],
  ["an IPv4 address", z.ipv4(), "a", "invalidFormat.ip"],
  ["an IPv6 address", z.ipv6(), "a", "invalidFormat.ip"],
  ["an IPv4 range", z.cidrv4(), "a", "invalidFormat.cidr"],
  ["an IPv6 range", z.cidrv6(), "a", "invalidFormat.cidr"],
  ["Base64", z.base64(), "a", "invalidFormat.base64"],
  ["Base64 for URLs", z.base64url(), "a", "invalidFormat.base64"],
  ["JSON", jsonText(), "{", "invalidFormat.json"],
  ["a phone number", z.e164(), "a", "invalidFormat.e164"],
  ["a token", z.jwt(), jwt, "invalidFormat.jwt"],
  ["an emoji", z.emoji(), "a", "invalidFormat.emoji"],
  ["a pattern, which is not told", z.string().regex(/^\d$/), "a", "invalidFormat.regex"],
  [
    "a beginning",
    z.string().startsWith("https://"),
    "a",
    "invalidFormat.startsWith?prefix=https%3A%2F%2F",
  ],
  ["an end", z.string().endsWith("."), "a", "invalidFormat.endsWith?suffix=."],
  ["a part", z.string().includes("@"), "a", "invalidFormat.includes?includes=%40"],
  ["any other format", z.nanoid(), "a", "invalidFormat.default"],
  ["a template", z.templateLiteral(["a", z.int()]), "b", "invalidFormat.default"],
];

function intents() {
  return z.discriminatedUnion("intent", [
    z.object({ intent: z.literal("a") }),
    z.object({ intent: z.literal("b") }),
  ]);
}

function jsonText() {
  return z.unknown().check((payload) => {
    payload.issues.push({
      code: "invalid_format",
      format: "json_string",
      input: String(payload.value),
    });
  });
}

/** Returns the message reference for an input; undefined when the schema accepts it. */
function referenceFor(schema: z.ZodType, input: unknown): string | undefined {
  const result = schema.safeParse(input, { error: describeIssue });
  return result.error?.issues[0]?.message;
}

const { validation = {} } = joinTexts("en");

async function translator() {
  const instance = createInstance();
  await instance.init({
    lng: "en",
    resources: { en: { validation } },
    interpolation: { escapeValue: false },
  });
  return instance;
}

test.each(cases)("%s has its reference", (_what, schema, input, expected) => {
  expect(referenceFor(schema, input)).toBe(`validation:generic.${expected}`);
});

test.each(cases)(
  "%s has its translation, with every value that it needs",
  async (_what, schema, input) => {
    const i18n = await translator();
    const [key = "", query] = referenceFor(schema, input)?.split("?") ?? [];

    expect(i18n.exists(key)).toBe(true);

    const params = Object.fromEntries(new URLSearchParams(query));
    const placeholders = [
      ...String(i18n.getResource("en", ...(key.split(":") as [string, string]))).matchAll(
        /\{\{\s*(\w+)/g,
      ),
    ];
    expect(Object.keys(params).sort()).toEqual(placeholders.map(([, name]) => name).sort());
    if (key === "validation:generic.invalidType") {
      expect(i18n.exists(`validation:types.${params.expected}`)).toBe(true);
      expect(i18n.exists(`validation:types.${params.received}`)).toBe(true);
    }
  },
);

test("a bound of a date is written as a day", async () => {
  const i18n = await translator();

  expect(i18n.t("validation:generic.tooSmall.date.inclusive", { minimum: NEW_YEAR_MS })).toBe(
    "Date must be Jan 1, 2026 or later",
  );
});

test("a size without a translation is reported as an invalid input", () => {
  const sized = z.custom<{ size: number }>().check(z.minSize(2));

  expect(referenceFor(sized, { size: 1 })).toBe("validation:generic.custom");
});

test("the map works as zod's locale, and a schema's own message has precedence", () => {
  z.config({ localeError: describeIssue });

  const result = z
    .object({ name: z.string({ error: "validation:name.required" }), link: z.string().min(4) })
    .safeParse({ link: "a" });

  expect(result.error?.issues.map((issue) => issue.message)).toEqual([
    "validation:name.required",
    "validation:generic.tooSmall.string.inclusive?minimum=4",
  ]);
});
