import { z } from "zod";

/** A refusal of a program's call, after RFC 9457: `application/problem+json`. */
export const ApiProblem = z
  .object({
    type: z.string().describe("URL of the code's description."),
    title: z.string().describe("Message in the language of `Accept-Language`."),
    status: z.int(),
    code: z.string().describe("For programs; it never changes."),
    errors: z
      .array(z.object({ field: z.string(), code: z.string(), message: z.string() }))
      .optional()
      .describe("What is wrong with which field."),
  })
  .meta({ id: "Problem" });
