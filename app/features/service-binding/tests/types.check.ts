import type * as told from "../../../../examples/worker/gatehouse.d.ts";
import type { OrganizationPermission } from "../../access/organization-permissions.ts";
import type { Permission } from "../../access/permissions.ts";
import type { Asked, Current, Identity, SessionAnswer, UserAnswer } from "../entrypoint.server.ts";

// The types that other Workers copy. Each line fails the type check when they differ from the real ones.

type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;

/** Both have the same members, also those that one of them could leave out. */
type Equal<One, Other> = Same<One, Other> & Same<keyof One, keyof Other>;

type Calls = Pick<Identity, "session" | "can" | "user">;

const isTold: true[] = [
  true satisfies Equal<told.Identity, Calls>,
  true satisfies Equal<told.Asked, Asked>,
  true satisfies Equal<told.Current["session"], Current["session"]>,
  true satisfies Equal<told.Current["user"], Current["user"]>,
  true satisfies Same<told.SessionAnswer, SessionAnswer>,
  true satisfies Same<told.UserAnswer, UserAnswer>,
  true satisfies Same<told.Permission, Permission>,
  true satisfies Same<told.OrganizationPermission, OrganizationPermission>,
];
export default isTold;
