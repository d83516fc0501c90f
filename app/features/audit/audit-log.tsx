import { href } from "react-router";
import { FilterDays } from "../../lists/filters/filter-days.tsx";
import { Filter, FilterSelect } from "../../lists/filters/filters.tsx";
import type { ListState } from "../../lists/query/list-state.ts";
import { DataList } from "../../lists/table/data-list.tsx";
import type { Column } from "../../lists/table/list-table.tsx";
import { aroundValues } from "../../ui/text/around-values.ts";
import { ClockTime, useDayOf } from "../../ui/text/clock-time.tsx";
import { EmailText } from "../../ui/text/email-text.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { useText, useTranslation } from "../../ui/text/translation.tsx";
import { THINGS } from "../access/things.ts";
import { useCan } from "../access/use-can.tsx";
import { AUDIT_ACTIONS, type AuditAction, groupOf } from "./actions.ts";
import { isOwn, type Party, sharedNames, shownAction } from "./audit-event.ts";
import { ChangeLines } from "./change-lines.tsx";
import { type AuditRow, EventDetails } from "./event-details.tsx";
import { EventIcon } from "./event-icon.tsx";
import { EventSource } from "./event-source.tsx";
import { PartyFilter } from "./party-filter.tsx";

type AuditLogProps = {
  rows: AuditRow[];
  state: ListState;
  filters: { actor?: string; target?: string; action?: string; from?: string; to?: string };
  names: { actor: string | undefined; target: string | undefined };
};

/** Table of audit events: actor, action, target, time and origin. */
export function AuditLog({ rows, state, filters, names }: AuditLogProps) {
  const { t } = useTranslation("logs");
  const columns = useColumns(sharedNames(rows));
  const dayOf = useDayOf();
  const can = useCan();
  return (
    <DataList
      label={t("audit.title")}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      titleOf={({ createdAt }) => dayOf(createdAt)}
      detailsOf={(event) => <EventDetails event={event} />}
      state={state}
      filters={filters}
      searchPlaceholder={t("audit.searchHint")}
      searchText={t("audit.typeWhole")}
      exportPath={can("audit", "export") ? href("/manager/audit/export") : undefined}
      toolbar={
        <>
          <PartyFilter
            name="actor"
            label={t("audit.who")}
            value={filters.actor}
            title={names.actor}
          />
          <PartyFilter
            name="target"
            label={t("audit.whom")}
            value={filters.target}
            title={names.target}
          />
          <ActionFilter value={filters.action} />
          <FilterDays label={t("audit.when")} from={filters.from} to={filters.to} />
        </>
      }
    />
  );
}

/** Returns a function that names an action in the reader's language. */
function useActionNames(): (action: string) => string {
  const { t } = useTranslation("events");
  return (action) => t(action as AuditAction);
}

/** Filter for one action; the actions stand under the kind of things that they are about. */
function ActionFilter({ value }: { value: string | undefined }) {
  const { t } = useTranslation("logs");
  const { t: common } = useTranslation();
  const nameOf = useActionNames();
  const groupName = useGroupNames();
  const label = t("audit.what");
  const chosen = AUDIT_ACTIONS.find((action) => action === value);
  const groups = [...new Set(AUDIT_ACTIONS.map(groupOf))];
  return (
    <Filter label={label} chosen={chosen && nameOf(chosen)} params={["action"]}>
      <FilterSelect name="action" label={label} value={chosen} unset={common("list.any")}>
        {groups.map((group) => (
          <optgroup key={group} label={groupName(group)}>
            {AUDIT_ACTIONS.filter((action) => groupOf(action) === group).map((action) => (
              <option key={action} value={action}>
                {nameOf(action)}
              </option>
            ))}
          </optgroup>
        ))}
      </FilterSelect>
    </Filter>
  );
}

/**
 * Returns a function that names a kind of things. A feature brings the name of its things; the
 * groups that are no things have theirs here.
 */
function useGroupNames(): (group: string) => string {
  const { t, i18n } = useTranslation("logs");
  const text = useText();
  return (group) => {
    const label = THINGS[group]?.label;
    if (label) return text(label);
    return i18n.exists(`logs:audit.groups.${group}`) ? t(`audit.groups.${group as "user"}`) : group;
  };
}

/** On a card: the lines below the event's name begin where the name does, beside its icon. */
const besideIconClass = "@max-[820px]:ps-10";

function useColumns(namesakes: ReadonlySet<string>): Column<AuditRow>[] {
  const { t } = useTranslation("logs");
  return [
    {
      key: "when",
      label: t("audit.when"),
      card: "end",
      cell: ({ createdAt }) => (
        <span className="block @max-[820px]:text-end">
          <ClockTime date={createdAt} />
        </span>
      ),
    },
    { key: "what", label: t("audit.what"), card: "title", cell: (row) => <Event {...row} /> },
    {
      key: "who",
      label: t("audit.who"),
      card: "line",
      isShort: true,
      cell: (row) => <Actor {...row} namesakes={namesakes} />,
    },
    {
      key: "whom",
      label: t("audit.whom"),
      card: "below",
      cell: (row) =>
        // When people act on themselves, their name is said already.
        row.target && !isOwn(row) ? (
          <span
            className={`flex items-center gap-1 leading-4.5 rtl:leading-6 @min-[820px]:w-48 ${besideIconClass}`}
          >
            <Icon name="arrow-right" className="list-narrow size-4 shrink-0 self-start" />
            <PartyText party={row.target} namesakes={namesakes} />
          </span>
        ) : (
          <span className="list-wide text-muted">–</span>
        ),
    },
    { key: "where", label: t("audit.where"), cell: (row) => <EventSource {...row} /> },
  ];
}

function Event({ action, changes }: AuditRow) {
  const nameOf = useActionNames();
  return (
    <span className="flex items-center gap-3">
      <EventIcon action={action} />
      <span className="grid min-w-0 grow grid-cols-1 leading-4.5 @max-[820px]:whitespace-normal @min-[820px]:flex @min-[820px]:items-baseline @min-[820px]:gap-3">
        <span className="font-medium @min-[820px]:max-w-full @min-[820px]:shrink-0 @min-[820px]:truncate">
          {nameOf(shownAction({ action, changes }))}
        </span>
        <ChangeLines action={action} changes={changes} />
      </span>
    </span>
  );
}

function Actor({ actor, impersonator, namesakes }: AuditRow & Namesakes) {
  const { t } = useTranslation("logs");
  const [before, after] = aroundValues((name) => t("audit.as", { name }));
  return (
    <span
      className={`grid grid-cols-1 leading-4.5 rtl:leading-6 @max-[820px]:text-muted @min-[820px]:flex @min-[820px]:items-baseline @min-[820px]:gap-2 ${besideIconClass}`}
    >
      {actor ? <PartyText party={actor} namesakes={namesakes} /> : t("audit.system")}
      {impersonator && (
        <span className="flex min-w-0 gap-1 text-xs text-muted">
          {before}
          <PartyText party={impersonator} namesakes={namesakes} />
          {after}
        </span>
      )}
    </span>
  );
}

/** Names that several people have, which need the e-mail beside them. */
type Namesakes = { namesakes: ReadonlySet<string> };

type PartyTextProps = Namesakes & { party: Party };

/**
 * A name. On a card it wraps; in a table it is a box that cuts it at its end, in its own direction.
 */
function PartyText({ party, namesakes }: PartyTextProps) {
  const { id, name, email, isThere } = party;
  const { t } = useTranslation("logs");
  return (
    <span
      title={email}
      className="flex min-w-0 items-baseline gap-x-1 @max-[820px]:flex-wrap @max-[820px]:whitespace-normal"
    >
      <bdi className={`min-w-0 truncate ${name ? "" : "font-mono text-xs"}`}>{name ?? id}</bdi>
      {!isThere && <span className="shrink-0 text-xs text-muted">{t("audit.gone")}</span>}
      {name && email && namesakes.has(name) && (
        <EmailText isOneLine className="min-w-0 truncate text-xs text-muted">
          {email}
        </EmailText>
      )}
    </span>
  );
}
