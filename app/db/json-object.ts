import { type SQL, sql } from "drizzle-orm";

/** D1 allows 32 arguments of a function, a name and a value for each member. */
const MOST_MEMBERS = 16;

/** SQL: a JSON object of any number of members. A null may be left out, which reads the same. */
export function jsonObject(members: readonly (readonly [name: string, value: SQL])[]): SQL {
  const parts = partsOf(members).map((part) => sql`json_object(${sql.join(part, sql`, `)})`);
  return parts.reduce((object, part) => sql`json_patch(${object}, ${part})`);
}

/** Names are our own, and a bound value would be one of the hundred that D1 takes. */
function partsOf(members: readonly (readonly [name: string, value: SQL])[]): SQL[][] {
  const pairs = members.map(([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`);
  return Array.from({ length: Math.max(1, Math.ceil(pairs.length / MOST_MEMBERS)) }, (_, index) =>
    pairs.slice(index * MOST_MEMBERS, (index + 1) * MOST_MEMBERS),
  );
}
