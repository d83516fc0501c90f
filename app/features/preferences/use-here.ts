import { useLocation } from "react-router";
import { LANGUAGE_PARAM } from "../../i18n/languages.ts";

/** Returns the current path to return to, without the language parameter, which would override a new choice. */
export function useHere(): string {
  const { pathname, search } = useLocation();
  const params = new URLSearchParams(search);
  params.delete(LANGUAGE_PARAM);
  return params.size > 0 ? `${pathname}?${params}` : pathname;
}
