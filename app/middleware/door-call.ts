import type { RouterContextProvider } from "react-router";
import type { DoorCall } from "../features/auth/door-call.ts";
import { requestContext } from "../http/request-context.ts";
import { languageContext } from "./locale.ts";
import { findCurrentSession } from "./session.ts";

/** What the auth door needs of a request. */
export function doorCall(request: Request, context: Readonly<RouterContextProvider>): DoorCall {
  return {
    request,
    info: context.get(requestContext),
    language: context.get(languageContext),
    current: () => findCurrentSession(context),
  };
}
