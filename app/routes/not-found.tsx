import { notFound } from "../http/responses.ts";

/** Every URL that `routes.ts` does not list. A route of its own, so that the middleware runs for it too. */
export function loader() {
  return notFound();
}

export function action() {
  return notFound();
}

export default function NotFoundScreen() {
  return null;
}
