import { useLocation, useNavigation } from "react-router";
import { useIsLate } from "../../ui/feedback/use-is-late.ts";
import { isSameList } from "../query/list-url.ts";

/** Long enough that a list that loads quickly does not flicker. */
const SKELETON_AFTER_MS = 200;

/** True when another search, order or filter of this list has been loading for longer than `SKELETON_AFTER_MS`. */
export function useIsLoadingOther(): boolean {
  const { location } = useNavigation();
  const { pathname, search } = useLocation();
  const isOther = location?.pathname === pathname && !isSameList(location.search, search);
  return useIsLate(isOther, SKELETON_AFTER_MS);
}

export function useIsLoadingMore(): boolean {
  const { location } = useNavigation();
  const { pathname, search } = useLocation();
  const isHere = location?.pathname === pathname && location.search !== search;
  return isHere && isSameList(location.search, search);
}
