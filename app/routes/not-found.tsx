import { type ClientLoaderFunctionArgs, redirectDocument } from "react-router";
import { notFound } from "../http/responses.ts";

/** Every URL that `routes.ts` does not list. A route of its own, so that the middleware runs for it too. */
export function loader() {
  return notFound();
}

/**
 * Loads the page as a document: another Worker may have it, for example after a sign-in that leads
 * back there.
 */
export function clientLoader({ url }: ClientLoaderFunctionArgs) {
  throw redirectDocument(url.pathname + url.search + url.hash);
}

export function action() {
  return notFound();
}

export default function NotFoundScreen() {
  return null;
}
