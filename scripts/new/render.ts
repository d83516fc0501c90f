import type { Subject, Words } from "./subject.ts";

/** What a template is filled with: lines or words by the name of their place. */
export type Blocks = Readonly<Record<string, string>>;

/**
 * Fills a template, which is the code of a subject called invoice. `in_voice` and `in-voice` stand for
 * its name in SQL and URLs. A line `//? organization` begins what only subjects with this mark have,
 * up to the next such line; `//# name` and `name` in a comment with a number sign are places for blocks.
 */
export function render(
  template: string,
  { words }: Subject,
  marks: ReadonlySet<string>,
  blocks: Blocks,
) {
  const lines: string[] = [];
  let isKept = true;
  for (const line of template.split("\n")) {
    const [, wanted] = /^(?:\/\/|--)\? (.*)$/.exec(line) ?? [];
    if (wanted !== undefined) {
      isKept =
        wanted === "end" ||
        wanted.split(" ").some((one) => one.split("&").every((mark) => marks.has(mark)));
    } else if (isKept) lines.push(line);
  }
  const block = (name: string) => {
    const found = blocks[name];
    if (found === undefined) throw new Error(`No block “${name}”`);
    return found;
  };
  const filled = rename(lines.join("\n"), words)
    .replace(/^(?:\/\/|--)# (\w+)\n/gm, (_, name: string) => withEnd(block(name)))
    .replace(/\/\*# (\w+) \*\/ ?/g, (_, name: string) => block(name));
  return filled.replace(/\n{3,}/g, "\n\n");
}

function withEnd(text: string): string {
  return text === "" ? "" : `${text}\n`;
}

/** Puts the subject's name in the place of the template's; in sentences with spaces between its words. */
export function rename(text: string, { one, many }: Words): string {
  const spelled: Readonly<Record<string, string>> = {
    in_voices: many.snake,
    in_voice: one.snake,
    "in-voices": many.kebab,
    "in-voice": one.kebab,
    INVOICES: many.constant,
    INVOICE: one.constant,
    Invoices: many.pascal,
    Invoice: one.pascal,
  };
  // In one pass: the name itself may have the template's in it.
  const named = (line: string, ofOne: string, ofMany: string) =>
    withArticle(line, one.title).replace(
      /in[_-]voices?|INVOICES?|[Ii]nvoices?/g,
      (found) => spelled[found] ?? (found === "invoices" ? ofMany : ofOne),
    );
  const isSentence = /^\s*(\/\/|\/\*\*|\*|--|[A-Z][a-z]|(programT|t)est\()/;
  return text
    .split("\n")
    .map((line) =>
      isSentence.test(line)
        ? named(line, one.title.toLowerCase(), many.title.toLowerCase())
        : named(line, one.camel, many.camel),
    )
    .join("\n");
}

/** “an invoice”, but “a customer”. */
function withArticle(text: string, name: string): string {
  if (/^[aeiou]/i.test(name)) return text;
  return text.replace(/\b([Aa])n (?=in[-_]?voice)/gi, "$1 ").replaceAll("anInvoice", "aInvoice");
}
