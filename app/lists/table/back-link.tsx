import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { buttonClass } from "../../ui/forms/button.tsx";
import { rememberedSearch, rememberSearch } from "../query/remembered-searches.ts";

/** Location state of a link from a list to one of its rows; the list is then one step back in the history. */
export const FROM_LIST = { isFromList: true };

/** Stores the list's last search, filters and page for the link back to it. */
export function useRememberedList() {
  const { pathname, search } = useLocation();

  // Outside React: the tab's storage.
  useEffect(() => rememberSearch(pathname, search), [pathname, search]);
}

type BackLinkProps = {
  to: string;
  "aria-label"?: string;
  className?: string;
  children: ReactNode;
};

/**
 * Links from a row back to its list with its last search and filters. Goes back in the history when the list is one
 * step back, which keeps the scroll position. Without JavaScript it leads to the plain list.
 */
export function BackLink({ to, className = buttonClass("quiet"), ...props }: BackLinkProps) {
  const navigate = useNavigate();
  const { state } = useLocation();
  const search = useSyncExternalStore(
    () => () => {},
    () => rememberedSearch(to),
    () => "",
  );
  return (
    <Link
      className={className}
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
