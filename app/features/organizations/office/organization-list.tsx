import type { ReactNode } from "react";
import { href, Link } from "react-router";
import { FilterOptions } from "../../../lists/filters/filters.tsx";
import type { ListState } from "../../../lists/query/list-state.ts";
import { FROM_LIST } from "../../../lists/table/back-link.tsx";
import { DataList } from "../../../lists/table/data-list.tsx";
import type { Column } from "../../../lists/table/list-table.tsx";
import { RecentDay, RelativeTime } from "../../../ui/text/relative-time.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { useFormat } from "../../../ui/text/use-format.ts";
import { useCan } from "../../access/use-can.tsx";
import { OrganizationLogo } from "../organization-logo.tsx";
import { type OrganizationFilters, type OrganizationState, STATE_FILTERS } from "./list-options.ts";
import { StateBadge } from "./state-badge.tsx";

type OrganizationRow = {
  id: string;
  name: string;
  slug: string;
  logo: string | null;
  state: OrganizationState;
  memberCount: number;
  createdAt: Date;
  lastActivityAt: Date | null;
};

type OrganizationListProps = {
  rows: OrganizationRow[];
  state: ListState;
  filters: OrganizationFilters;
  now: Date;
  emptyAction?: ReactNode;
};

export function OrganizationList({
  rows,
  state,
  filters,
  now,
  emptyAction,
}: OrganizationListProps) {
  const { t } = useTranslation("manager-organizations");
  const can = useCan();
  return (
    <DataList
      label={t("title")}
      columns={useColumns(now, state.sort)}
      rows={rows}
      rowKey={({ id }) => id}
      state={state}
      filters={filters}
      emptyAction={emptyAction}
      exportPath={can("organization", "export") ? href("/manager/organizations/export") : undefined}
      rowMenu={{
        nameOf: ({ name }) => name,
        idOf: ({ id }) => id,
        screen: { icon: "building-2", pathOf: detailPath },
        links: ({ id }) => [
          can("audit", "read") && {
            to: `${href("/manager/audit")}?target=${id}`,
            icon: "scroll-text",
            label: t("rowAudit"),
          },
        ],
      }}
      toolbar={
        <FilterOptions
          name="state"
          label={t("state")}
          value={filters.state}
          options={STATE_FILTERS.map((filter) => [filter, t(`filters.${filter}`)])}
        />
      }
    />
  );
}

function detailPath({ id }: Pick<OrganizationRow, "id">): string {
  return href("/manager/organizations/:id", { id });
}

const DATE_ON_CARD = { card: "end", isNamedDate: true } as const;

function useColumns(now: Date, sort: string): Column<OrganizationRow>[] {
  const { t } = useTranslation("manager-organizations");
  const format = useFormat();
  // A card shows one of the dates: the one that the list is in the order of.
  const isByCreated = sort === "created";
  return [
    {
      key: "name",
      label: t("name"),
      card: "title",
      sort: "name",
      cell: ({ id, name, logo }) => (
        <Link prefetch="intent" to={detailPath({ id })} state={FROM_LIST} className="list-link">
          <OrganizationLogo id={id} name={name} logo={logo} />
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    {
      key: "slug",
      label: t("slug"),
      card: "line",
      isShort: true,
      cell: ({ slug, memberCount }) => (
        <span className="truncate text-muted">
          <bdi dir="ltr">{slug}</bdi>
          <span className="list-narrow" suppressHydrationWarning>
            {" · "}
            {t("memberCount", { count: memberCount, formatted: format.number(memberCount) })}
          </span>
        </span>
      ),
    },
    {
      key: "state",
      label: t("state"),
      card: "below",
      cell: ({ state }) => <StateBadge state={state} />,
    },
    {
      key: "members",
      label: t("members"),
      isNumber: true,
      sort: "members",
      cell: ({ memberCount }) => <span suppressHydrationWarning>{format.number(memberCount)}</span>,
    },
    {
      key: "created",
      label: t("created"),
      ...(isByCreated && DATE_ON_CARD),
      sort: "created",
      cell: ({ createdAt }) => <RecentDay date={createdAt} now={now} />,
    },
    {
      key: "activity",
      label: t("activity"),
      ...(!isByCreated && DATE_ON_CARD),
      sort: "activity",
      cell: ({ lastActivityAt }) =>
        lastActivityAt ? <RelativeTime date={lastActivityAt} now={now} /> : "—",
    },
  ];
}
