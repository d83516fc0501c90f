import { expect, test } from "vitest";
import { SLUG_MAX_LENGTH } from "../organization-limits.ts";
import { SLUG_PATTERN } from "../slug.ts";
import { proposeAnother, proposeSlug } from "./propose-slug.server.ts";

test.each([
  ["Émile & Cie", "emile-and-cie"],
  ["Kampuni ya Maziwa", "kampuni-ya-maziwa"],
  ["مؤسسة النور", "mwsst-alnwr"],
  ["Москва", "moskva"],
  ["Ελλάδα", "ellada"],
  ["  Zwei  Wörter ", "zwei-woerter"],
  ["No Script GmbH", "no-script-gmbh"],
  ["OpenAI", "openai"],
  [
    "Vereinigte Hanseatische Logistik und Transporte GmbH",
    "vereinigte-hanseatische-logistik-und-transporte",
  ],
  [`A ${"b".repeat(60)}`, `a-${"b".repeat(46)}`],
])("the slug of %s is %s", async (name, slug) => {
  expect(await proposeSlug(name)).toBe(slug);
});

test.each(["北京大学", "😀😀", "-", "A", "new", "Admin"])(
  "the slug of %s is random",
  async (name) => {
    expect(await proposeSlug(name)).toMatch(/^org-[a-z\d]{6}$/);
  },
);

test.each(["a".repeat(100), `${"ab ".repeat(40)}`, "北京大学", "مؤسسة النور".repeat(20)])(
  "every proposed slug is valid, and so is another one",
  async (name) => {
    const proposed = await proposeSlug(name);
    for (const slug of [proposed, proposeAnother(proposed)]) {
      expect(slug).toMatch(SLUG_PATTERN);
      expect(slug.length).toBeLessThanOrEqual(SLUG_MAX_LENGTH);
    }
  },
);
