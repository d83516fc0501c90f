import { href } from "react-router";

/** Paths of the lists whose state can be saved as a view. */
export const VIEWED_LISTS = [
  href("/app/repositories"),
  href("/manager/users"),
  href("/manager/repositories"),
  href("/manager/organizations"),
  href("/manager/audit"),
  href("/manager/mail"),
] as const;

/** Returns the path when it is one of a list with saved views. */
export function viewedListAt(pathname: string) {
  return VIEWED_LISTS.find((path) => path === pathname.replace(/\/$/, ""));
}
