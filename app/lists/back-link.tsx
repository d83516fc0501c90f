import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { useLocation, useNavigate } from "react-router";
import { ButtonLink } from "../ui/button.tsx";

/** Location state of a link from a list to one of its rows; the list is then one step back in the history. */
export const FROM_LIST = { isFromList: true };

const STORAGE_PREFIX = "gatehouse.list:";

/** Stores the list's last search, filters and page for the link back to it. */
export function useRememberedList() {
  const { pathname, search } = useLocation();

  // Outside React: the tab's storage.
  useEffect(() => {
    try {
      sessionStorage.setItem(STORAGE_PREFIX + pathname, search);
    } catch {
      // Storage is off or full; the link leads to the plain list.
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
 * Links from a row back to its list with its last search and filters. Goes back in the history when the list is one
 * step back, which keeps the scroll position. Without JavaScript it leads to the plain list.
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
