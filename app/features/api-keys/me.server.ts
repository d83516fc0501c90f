import { eq } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { organization, user } from "../../db/schema/schema.ts";
import type { ApiEndpoint } from "../access/api-endpoint.ts";
import type { KeyHolder } from "../access/program.server.ts";
import { scopeOf } from "../access/scopes.ts";
import type { Me } from "./api.ts";
import { refusalOf } from "./key-holder.server.ts";

type Calls = Readonly<Record<string, ApiEndpoint>>;

/** Returns the user of a key or an app, and what the key or app may do now. */
export async function findMe(db: Db, holder: KeyHolder, calls: Calls): Promise<Me> {
  const { user: owner, organization: at, knows } = holder;
  const [row] = await db
    .select({ name: user.name, email: user.email, at: organization.name, slug: organization.slug })
    .from(user)
    .leftJoin(organization, eq(organization.id, at?.id ?? ""))
    .where(eq(user.id, owner.id));
  return {
    id: owner.id,
    name: knows.name && row ? row.name : null,
    email: knows.email && row ? row.email : null,
    organization: at && { ...at, slug: row?.slug ?? "", name: row?.at ?? "" },
    permissions: permissionsNow(holder, calls),
  };
}

function permissionsNow(holder: KeyHolder, calls: Calls): string[] {
  const allowed = Object.values(calls).filter(
    (call) => !call.isForAll && refusalOf(holder, call) === undefined,
  );
  const scopes = allowed.map(({ act, organization: within }) =>
    scopeOf(holder.organization && within ? within : act.permission),
  );
  return [...new Set(scopes)].sort();
}
