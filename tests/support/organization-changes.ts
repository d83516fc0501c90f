import { expect, test } from "vitest";
import { auditOf } from "./audit.ts";
import type { Browser } from "./client.ts";
import { faultsUpTo } from "./faults.ts";
import type { OrganizationRow } from "./organizations.ts";
import type { Gatehouse } from "./worker.ts";

/** A change of an organization by a form. */
export type OrganizationChange<Company> = {
  /** The form: its page and its fields. */
  form: (company: Company) => { page: string; fields: Record<string, string>; by?: Browser };
  action: string;
  /** SQL conditions that hold all together after the change, and none of them before. */
  after: (company: Company) => string[];
};

/** Tests that each change is whole or not made, whichever call of the database fails. */
export function testChanges<
  Company extends {
    owner: { browser: Browser };
    organization: Pick<OrganizationRow, "id" | "slug">;
  },
>(
  gatehouse: Gatehouse,
  changes: Record<string, OrganizationChange<Company>>,
  aCompany: () => Promise<Company>,
) {
  /** Returns for each SQL condition whether it holds. */
  async function readAll(conditions: string[]): Promise<boolean[]> {
    const row = await gatehouse.d1
      .prepare(`SELECT ${conditions.map((condition, at) => `${condition} AS c${at}`).join(", ")}`)
      .first<Record<string, number>>();
    return conditions.map((_, at) => row?.[`c${at}`] === 1);
  }

  for (const [index, [name, change]] of Object.entries(changes).entries()) {
    const { form, action, after } = change;
    const faults = faultsUpTo(4, index);

    test.each(faults)(`${name} is whole or not made, with a fault at call %s`, async (fault) => {
      const company = await aCompany();
      const { page, fields, by = company.owner.browser } = form(company);
      const path = `/app/organizations/${company.organization.slug}/${page}`;
      const conditions = after(company);
      const events = async () =>
        (await auditOf(gatehouse, company.organization.id)).map((event) => event.action);
      expect(await readAll(conditions)).toEqual(conditions.map(() => false));

      const first = await by.submit(path, fields, { headers: { "x-d1-fault": fault } });

      const isMade = (await readAll(conditions))[0] ?? false;
      expect(await readAll(conditions)).toEqual(conditions.map(() => isMade));
      expect(await events()).toEqual(isMade ? [action] : []);
      if (first.status === 302) expect(isMade).toBe(true);
      else expect(first.status).toBeGreaterThanOrEqual(500);

      // Sent again, the form makes the change once, or tells that it is made.
      const again = await by.submit(path, fields);
      expect(again.status).toBeLessThan(500);
      expect(await readAll(conditions)).toEqual(conditions.map(() => true));
      expect(await events()).toEqual([action]);
    });
  }
}
