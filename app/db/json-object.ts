import { type SQL, sql } from "drizzle-orm";

/** D1 allows 32 arguments of a function: a name and a value for each member, beside the object that gets them. */
const MOST_MEMBERS = 15;

type Members = readonly (readonly [name: string, value: SQL])[];

/** SQL: a JSON object of any number of members. */
export function jsonObject(members: Members): SQL {
  const first = sql`json_object(${listed(members.slice(0, MOST_MEMBERS), "")})`;
  const parts = Array.from({ length: Math.ceil(members.length / MOST_MEMBERS) - 1 }, (_, index) =>
    members.slice((index + 1) * MOST_MEMBERS, (index + 2) * MOST_MEMBERS),
  );
  return parts.reduce((object, part) => sql`json_set(${object}, ${listed(part, "$.")})`, first);
}

/** Names are our own, and a bound value would be one of the hundred that D1 takes. */
function listed(members: Members, before: string): SQL {
  const pairs = members.map(([name, value]) => sql`${sql.raw(`'${before}${name}'`)}, ${value}`);
  return sql.join(pairs, sql`, `);
}
