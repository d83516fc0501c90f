/** A value for a log line. The caller must make sure that it is no secret. */
type Loggable = string | number | boolean | null | undefined;

/** Writes one JSON line. Errors go to stderr, so that an operator's alerts can tell them from events. */
export function log(
  level: "info" | "warn" | "error",
  event: string,
  fields: Record<string, Loggable> = {},
) {
  const line = JSON.stringify({ level, event, ...fields });
  if (level === "error") console.error(line);
  else console.log(line);
}

/**
 * Describes an error for a log line: name, message and stack, without the parameters that the database driver appends.
 * Drizzle's messages end with the bound parameters, among them live session tokens.
 */
export function describeError(error: unknown): { error: string; stack?: string } {
  if (!(error instanceof Error)) return { error: typeof error };
  const cause = error.cause instanceof Error ? ` (${withoutParameters(error.cause.message)})` : "";
  const text = `${error.name}: ${withoutParameters(error.message)}${cause}`;
  const frames = error.stack?.split("\n").filter((line) => /^\s+at /.test(line));
  return { error: text, stack: frames?.slice(0, 8).join("\n") };
}

function withoutParameters(message: string): string {
  return message.replace(/\bparams:[\s\S]*$/, "params: …").slice(0, 500);
}
