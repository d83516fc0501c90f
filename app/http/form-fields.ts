import { z } from "zod";

/** One name that a form's schema reads. */
export type FormField = {
  /** All values of the name count; otherwise the first one does. */
  isList: boolean;
  /** No person fills it in, so it has no place for a message of its own. */
  isHidden: boolean;
};

/** Marks a field of a hidden input: what is wrong with it is said of the form as a whole. */
export function hidden<S extends z.ZodType>(schema: S): S {
  return schema.meta({ isHidden: true });
}

/** The fields that a schema reads, by name: those of every option of a union. The intent is always hidden. */
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
 * Reads the fields from a posted form; names that are not among them are never looked at. A name that is repeated
 * counts once, the first, as in search params; a list takes all. An empty text is an absent value.
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

/** Counts the fields of a form's body without parsing it. Never fewer than a parser finds. */
export function countFields(body: Uint8Array, contentType: string): number {
  const text = new TextDecoder("latin1").decode(body);
  // Every part has this header (RFC 7578, section 4.2), whatever the boundary is.
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
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return isList(schema.unwrap());
  }
  return schema instanceof z.ZodArray;
}
