import { i18nFor } from "../i18n/i18n.server.ts";
import type { Language } from "../i18n/languages.ts";
import type { ErrorCode } from "../i18n/message-key.ts";
import { readReference, textOf } from "../i18n/message-reference.ts";

export type Problem = {
  status: number;
  code: ErrorCode;
  /** References to the messages of fields, in the order of the fields. */
  fields?: readonly { field: string; message: string }[];
  retryAfterSeconds?: number | undefined;
  headers?: Record<string, string>;
  more?: Record<string, unknown>;
};

type Reader = { language: Language; baseUrl: string };

/**
 * Answers a refusal as RFC 9457 says, with an error code, messages in the reader's language, and
 * the URL of the code in the documentation.
 */
export function answerProblem({ language, baseUrl }: Reader, problem: Problem): Response {
  const { status, code, fields, retryAfterSeconds, more } = problem;
  const { t } = i18nFor(language);
  // The key is known only at run time.
  const translate = t as (key: string | string[], values: object) => string;
  const body = {
    type: `${baseUrl}/api/docs#${code}`,
    title: translate(problemTexts(code), {}),
    status,
    code,
    ...(fields && {
      errors: fields.map(({ field, message }) => ({
        field,
        code: readReference(message).key,
        message: textOf(message, translate),
      })),
    }),
    ...more,
  };
  const headers = new Headers(problem.headers);
  headers.set("Content-Type", "application/problem+json");
  if (retryAfterSeconds) headers.set("Retry-After", String(retryAfterSeconds));
  return new Response(JSON.stringify(body), { status, headers });
}

/**
 * Returns the keys of an error code's text for programs: one of its own, or the text of screens.
 */
export function problemTexts(code: string): string[] {
  return [`problems:${code}`, `codes:${code}`];
}
