import { z } from "zod";
import type { CurrentSession } from "../features/auth/sessions/sessions.server.ts";
import { describeIssue } from "../i18n/zod-messages.ts";
import type { Services } from "../worker/services.server.ts";

type ServerFunction<Input, Result> = {
  input: z.ZodType<Input>;
  /** True when the user may call it, by the same permissions as the screens. */
  isAllowed: (current: CurrentSession) => boolean;
  handle: (services: Services, input: Input, current: CurrentSession, now: Date) => Promise<Result>;
};

/** Defines a server function. It parses the input before `handle`, so that both have the same type. */
export function define<Input, Result>(definition: ServerFunction<Input, Result>) {
  return {
    ...definition,
    async answer(
      services: Services,
      payload: unknown,
      current: CurrentSession,
      now: Date,
    ): Promise<Answer> {
      const parsed = definition.input.safeParse(payload, { error: describeIssue });
      if (parsed.success) {
        return { ok: true, result: await definition.handle(services, parsed.data, current, now) };
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
