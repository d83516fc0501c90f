import { getJson } from "../http/get-json.ts";
import type { ServerFunctions } from "../routes/api/server-functions.server.ts";

/** A table of server functions, of which a browser knows the types alone. */
type Functions = {
  readonly [id: string]: {
    handle: (reading: never, input: never, current: never, now: Date) => Promise<unknown>;
  };
};

export type Id<F extends Functions> = keyof F & string;
export type Input<F extends Functions, I extends Id<F>> = Parameters<F[I]["handle"]>[1];
export type Result<F extends Functions, I extends Id<F>> = Awaited<ReturnType<F[I]["handle"]>>;
export type { Functions, ServerFunctions };

/**
 * Calls a server function from the browser. Undefined without an answer, or for a refusal. A feature calls its own with
 * the type of their table.
 */
export async function callServerFunction<I extends Id<F>, F extends Functions = ServerFunctions>(
  id: I,
  payload: Input<F, I>,
  signal?: AbortSignal,
): Promise<Result<F, I> | undefined> {
  const url = `/_server/${id}?${new URLSearchParams({ payload: JSON.stringify(payload) })}`;
  const answer = (await getJson(url, signal)) as { result: Result<F, I> } | undefined;
  return answer?.result;
}
