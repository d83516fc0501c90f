import { z } from "zod";
import type { Db } from "../db/db.server.ts";
import type { CurrentSession } from "../features/auth/sessions/sessions.server.ts";
import type { AccessEnvironment } from "../features/site-settings/access-environment.ts";
import { describeIssue } from "../i18n/zod-messages.ts";
import type { FoundThing } from "../lists/query/list-query.server.ts";

/** What a server function gets to read with. */
type Reading = {
  db: Db;
  config: AccessEnvironment;
  features: { found: Readonly<Record<string, FoundThing>> };
};

type Definition<Input, Result> = {
  input: z.ZodType<Input>;
  /** True when the user may call it, by the same permissions as the screens. */
  isAllowed: (current: CurrentSession) => boolean;
  handle: (reading: Reading, input: Input, current: CurrentSession, now: Date) => Promise<Result>;
};

/** Any server function, as the route runs it. */
export type ServerFunction = {
  isAllowed: (current: CurrentSession) => boolean;
  answer: (
    reading: Reading,
    payload: unknown,
    current: CurrentSession,
    now: Date,
  ) => Promise<Answer>;
};

/** Defines a server function. It parses the input before `handle`, so that both have the same type. */
export function define<Input, Result>(definition: Definition<Input, Result>) {
  return {
    ...definition,
    async answer(
      reading: Reading,
      payload: unknown,
      current: CurrentSession,
      now: Date,
    ): Promise<Answer> {
      const parsed = definition.input.safeParse(payload, { error: describeIssue });
      if (parsed.success) {
        return { ok: true, result: await definition.handle(reading, parsed.data, current, now) };
      }
      const { fieldErrors } = z.flattenError<unknown>(parsed.error);
      return { ok: false, status: 400, code: "INVALID_PAYLOAD", fields: fieldErrors };
    },
  };
}

/** Answer of a server function, or its refusal with the HTTP status. */
export type Answer =
  | { ok: true; result: unknown }
  | {
      ok: false;
      status: number;
      code: string;
      fields?: Record<string, string[]>;
    };
