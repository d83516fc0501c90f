/** Sort orders of the list; the first is the default. */
export const ORGANIZATION_SORTS = ["created", "name", "activity", "members"] as const;

/** Open invitations; no activity for 30 days; disabled; being deleted. */
export const STATE_FILTERS = ["invited", "inactive", "disabled", "deletion"] as const;

export type OrganizationFilters = { state?: (typeof STATE_FILTERS)[number] };

/** Days without activity after which an organization counts as inactive. */
export const INACTIVE_DAYS = 30;

export type OrganizationState = "active" | "disabled" | "deletion";

/** Returns an organization's state: being deleted, else disabled, else active. */
export function stateOf(row: {
  disabledAt: Date | null;
  deletionDueAt: Date | null;
}): OrganizationState {
  if (row.deletionDueAt) return "deletion";
  return row.disabledAt ? "disabled" : "active";
}
