import { z } from "zod";

export type FormField = {
  /** True when all values of the name count; otherwise only the first. */
  isList: boolean;
  /** True for a hidden input, which has no message of its own. */
  isHidden: boolean;
};

/** Marks the field of a hidden input: its errors become errors of the form as a whole. */
export function hidden<S extends z.ZodType>(schema: S): S {
  return schema.meta({ isHidden: true });
}

/**
 * Returns the fields that a schema reads, by name; for a union, the fields of every option. The intent is always
 * hidden.
 */
export function fieldsOf(schema: z.core.$ZodType): Map<string, FormField> {
  const fields = new Map<string, FormField>();
  for (const shape of shapesOf(schema)) {
    for (const [name, field] of Object.entries(shape)) {
      const isHidden = name === "intent" || z.globalRegistry.get(field)?.isHidden === true;
      fields.set(name, { isList: isList(field), isHidden });
    }
  }
  return fields;
}

/**
 * Reads the fields from a posted form; other names are ignored. Of a repeated name only the first value counts, as in
 * search params; a list takes all. An empty text counts as absent.
 */
export function readFields(
  form: FormData,
  fields: ReadonlyMap<string, FormField>,
): Record<string, unknown> {
  return Object.fromEntries(
    [...fields].map(([name, field]) => [
      name,
      field.isList
        ? form.getAll(name).filter((value) => value !== "")
        : form.get(name) || undefined,
    ]),
  );
}

/** Counts the fields of a form's body without parsing it. Never returns fewer than a parser finds. */
export function countFields(body: Uint8Array, contentType: string): number {
  const text = new TextDecoder("latin1").decode(body);
  // Every part has this header (RFC 7578, section 4.2), whatever the boundary.
  return /^multipart\//i.test(contentType)
    ? countMatches(text, /content-disposition/gi)
    : countMatches(text, /&/g) + 1;
}

function countMatches(text: string, pattern: RegExp): number {
  let count = 0;
  while (pattern.test(text)) count += 1;
  return count;
}

function shapesOf(schema: z.core.$ZodType): Record<string, z.core.$ZodType>[] {
  if (schema instanceof z.ZodObject) return [schema.shape];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(shapesOf);
  if (schema instanceof z.ZodPipe) return shapesOf(schema.in);
  return [];
}

function isList(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodPipe) return isList(schema.in);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  ) {
    return isList(schema.unwrap());
  }
  return schema instanceof z.ZodArray;
}
