import { useLocation } from "react-router";
import { LANGUAGE_PARAM } from "../../i18n/languages.ts";

/** The current address to come back to, without a language parameter that would overrule a new choice. */
export function useHere(): string {
  const { pathname, search } = useLocation();
  const params = new URLSearchParams(search);
  params.delete(LANGUAGE_PARAM);
  return params.size > 0 ? `${pathname}?${params}` : pathname;
}
