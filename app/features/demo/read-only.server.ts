import { href } from "react-router";
import type { BeforeAnswer } from "../../feature.server.ts";
import { isMutation } from "../../http/origin.ts";
import { requestContext } from "../../http/request-context.ts";
import { SIGN_IN_PATH } from "../auth/gateway/code-sign-in.server.ts";
import { SEND_CODE_PATH } from "../auth/sign-in/code-guard.server.ts";
import { fillDemoOnce } from "./fill.server.ts";

/** What a refused visitor is told. */
export const READ_ONLY = "codes:DEMO_READ_ONLY";

/**
 * Whole paths that a visitor of the demonstration may post to. A prefix would also open what is added below it later.
 */
const OPEN: readonly string[] = [
  href("/login"),
  href("/login/verify"),
  href("/sign-out"),
  href("/preferences"),
  ...[SEND_CODE_PATH, SIGN_IN_PATH, "/sign-out"].map((path) =>
    href("/api/auth/*", { "*": path.slice(1) }),
  ),
];

/** Fills an empty demonstration after the answer. Refuses all writes of visitors, in this one place. */
export const keepReadOnly: BeforeAnswer = ({ config, db, samples }, { request, context, url }) => {
  if (!config.isDemo) return undefined;
  const { afterAnswer, now } = context.get(requestContext);
  afterAnswer(() => fillDemoOnce(db, now(), samples));
  if (!isMutation(request) || OPEN.includes(url.pathname)) return undefined;
  const back = url.pathname === href("/onboarding") ? href("/") : url.pathname + url.search;
  return { code: "DEMO_READ_ONLY", message: READ_ONLY, back };
};
