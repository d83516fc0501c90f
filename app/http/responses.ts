import { data } from "react-router";

/** Answers 404 with the not-found page. */
export function notFound(): never {
  throw data(null, { status: 404 });
}

/** Answers 403 with the page for it, which tells the e-mail of the signed-in user when it gets one. */
export function forbidden(signedInAs?: string): never {
  throw data({ signedInAs }, { status: 403 });
}
