import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";
import { approvalFacts } from "./approval-facts.ts";
import { callFacts } from "./call-facts.ts";
import { officeFacts } from "./office-facts.ts";
import { ownFacts } from "./own-facts.ts";
import { ownedFacts } from "./owned-facts.ts";

const PARTS: readonly FeatureTests[] = [
  callFacts,
  officeFacts,
  ownFacts,
  ownedFacts,
  approvalFacts,
];

/** The rows of the calls, the back-office, the account and organizations in one. */
export const facts = {
  ...callFacts,
  ...officeFacts,
  ...ownFacts,
  ...ownedFacts,
  access: rowsOf((part) => part.access),
  managers: rowsOf((part) => part.managers),
  forms: rowsOf((part) => part.forms),
  acts: rowsOf((part) => part.acts),
  leftBehind: rowsOf((part) => part.leftBehind),
  changes: {
    ...callFacts.changes,
    ...ownedFacts.changes,
    "the own account": PARTS.flatMap(({ changes }) => changes?.["the own account"] ?? []),
    "the back-office": PARTS.flatMap(({ changes }) => changes?.["the back-office"] ?? []),
  },
  limits: {
    ...callFacts.limits,
    nobodyElse: { ...callFacts.limits.nobodyElse, ...ownedFacts.limits.nobodyElse },
  },
  async urls(gatehouse, organization, owner) {
    const ids = await Promise.all(PARTS.map(({ urls }) => urls?.(gatehouse, organization, owner)));
    return Object.assign({}, ...ids);
  },
  states: PARTS.flatMap(({ states = [] }) => states),
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
