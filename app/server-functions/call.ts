import { getJson } from "../http/get-json.ts";
import type { ServerFunctions } from "../routes/api/server-functions.server.ts";

export type Id = keyof ServerFunctions;
export type Input<I extends Id> = Parameters<ServerFunctions[I]["handle"]>[1];
export type Result<I extends Id> = Awaited<ReturnType<ServerFunctions[I]["handle"]>>;

/** Calls a server function from the browser. Undefined without an answer, or for a refusal. */
export async function callServerFunction<I extends Id>(
  id: I,
  payload: Input<I>,
  signal?: AbortSignal,
): Promise<Result<I> | undefined> {
  const url = `/_server/${id}?${new URLSearchParams({ payload: JSON.stringify(payload) })}`;
  const answer = (await getJson(url, signal)) as { result: Result<I> } | undefined;
  return answer?.result;
}
