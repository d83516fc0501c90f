import { z } from "zod";

/** The names of a form's fields, and of its intent where it has several. */
export type FormShape = { intent?: string; fields: string[] };

/** Returns the shape of each form that a schema reads. A schema that is not of objects has none. */
export function formsOf(schema: z.core.$ZodType): FormShape[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(formsOf);
  if (schema instanceof z.ZodPipe) return formsOf(schema.def.in);
  if (!(schema instanceof z.ZodObject)) return [];
  const { intent, ...others } = schema.shape;
  const fields = Object.keys(others);
  return intent ? intentsOf(intent).map((name) => ({ intent: name, fields })) : [{ fields }];
}

function intentsOf(schema: z.core.$ZodType): string[] {
  const values = [...(schema._zod.values ?? [])];
  if (values.length === 0) throw new Error("An intent has no fixed values");
  return values.map(String);
}
