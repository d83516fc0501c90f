import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";
import { approvalFacts } from "./approval-facts.ts";
import { callFacts } from "./call-facts.ts";
import { officeFacts } from "./office-facts.ts";
import { ownFacts } from "./own-facts.ts";

const PARTS: readonly FeatureTests[] = [callFacts, officeFacts, ownFacts, approvalFacts];

/** The rows of the calls, the back-office and the account in one. */
export const facts = {
  ...callFacts,
  ...officeFacts,
  ...ownFacts,
  access: rowsOf((part) => part.access),
  managers: rowsOf((part) => part.managers),
  forms: rowsOf((part) => part.forms),
  acts: rowsOf((part) => part.acts),
  leftBehind: rowsOf((part) => part.leftBehind),
  changes: {
    ...callFacts.changes,
    "the own account": PARTS.flatMap(({ changes }) => changes?.["the own account"] ?? []),
    "the back-office": PARTS.flatMap(({ changes }) => changes?.["the back-office"] ?? []),
  },
  async fields(aim, form) {
    const values = await Promise.all(PARTS.map(({ fields }) => fields?.(aim, form)));
    return Object.assign({}, ...values);
  },
  personal: PARTS.flatMap(({ personal = [] }) => personal),
  async know(insert, person) {
    for (const { know } of PARTS) await know?.(insert, person);
  },
  tables: PARTS.flatMap(({ tables = [] }) => tables),
  screens: PARTS.flatMap(({ screens = [] }) => screens),
  async seed(gatehouse, world) {
    const ids = await Promise.all(PARTS.map(({ seed }) => seed?.(gatehouse, world)));
    return Object.assign({}, ...ids);
  },
  async translated(world) {
    const shown = await Promise.all(PARTS.map(({ translated }) => translated?.(world) ?? []));
    return shown.flat();
  },
} satisfies FeatureTests;

function rowsOf<Value>(
  read: (part: FeatureTests) => Readonly<Record<string, Value>> | undefined,
): Record<string, Value> {
  return Object.assign({}, ...PARTS.map((part) => read(part)));
}
