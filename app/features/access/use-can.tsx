import { createContext, type ReactNode, use } from "react";
import { Link, type LinkProps } from "react-router";
import {
  type Action,
  can,
  may,
  type Permission,
  type Resource,
  type RoleHolder,
} from "./permissions.ts";

const Reader = createContext<RoleHolder>({});

/** Makes the reader's roles known to the controls inside, which then hide what the reader may not do. */
export function Rights({ user, children }: { user: RoleHolder; children: ReactNode }) {
  return <Reader value={user}>{children}</Reader>;
}

/** Returns the question whether the reader has a permission. The server asks it again. */
export function useCan() {
  const reader = use(Reader);
  return <R extends Resource>(resource: R, action: Action<R>) => can(reader, resource, action);
}

/** Returns the same question for a permission. */
export function useMay() {
  const reader = use(Reader);
  return (permission: Permission) => may(reader, permission);
}

type PermittedLinkProps = LinkProps & {
  /** The permission that the link's screen asks for. */
  permission: Permission;
};

/** A link to a screen; for a reader who may not open the screen, only its text. */
export function PermittedLink({ permission, ...link }: PermittedLinkProps) {
  const reader = use(Reader);
  const [resource, action] = permission;
  return can(reader, resource, action) ? <Link {...link} /> : <span>{link.children}</span>;
}
