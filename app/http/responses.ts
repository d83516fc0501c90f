import { data } from "react-router";

/** Answers 404 with the not-found page. */
export function notFound(): never {
  throw data(null, { status: 404 });
}

/** Answers 403 with the page for it. */
export function forbidden(): never {
  throw data(null, { status: 403 });
}
