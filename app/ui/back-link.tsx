import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { useLocation, useNavigate } from "react-router";
import { ButtonLink } from "./button.tsx";

/** The state of a link from a list to one of its rows: the list is one step back then. */
export const FROM_LIST = { isFromList: true };

const STORAGE_PREFIX = "gatehouse.list:";

/** Remembers which search, filters and pages of a list were looked at last, for the way back to it. */
export function useRememberedList() {
  const { pathname, search } = useLocation();

  // Outside React: the tab's storage.
  useEffect(() => {
    try {
      sessionStorage.setItem(STORAGE_PREFIX + pathname, search);
    } catch {
      // Storage is off or full; the way back leads to the plain list.
    }
  }, [pathname, search]);
}

function readSearch(list: string): string {
  try {
    return sessionStorage.getItem(STORAGE_PREFIX + list) ?? "";
  } catch {
    return "";
  }
}

type BackLinkProps = { to: string; "aria-label"?: string; children: ReactNode };

/**
 * Leads from a row to its list as it was left, and to the same place in it where that is one step back. Without
 * JavaScript it leads to the plain list.
 */
export function BackLink({ to, ...props }: BackLinkProps) {
  const navigate = useNavigate();
  const { state } = useLocation();
  const search = useSyncExternalStore(
    () => () => {},
    () => readSearch(to),
    () => "",
  );
  return (
    <ButtonLink
      variant="quiet"
      to={to + search}
      onClick={(event) => {
        const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
        if (!state?.isFromList || opensElsewhere) return;
        event.preventDefault();
        void navigate(-1);
      }}
      {...props}
    />
  );
}
