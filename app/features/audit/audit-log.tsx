import { href, Link } from "react-router";
import { FilterDays } from "../../lists/filters/filter-days.tsx";
import { FilterOptions } from "../../lists/filters/filters.tsx";
import type { ListState } from "../../lists/query/list-state.ts";
import { useListUrl } from "../../lists/query/list-url.ts";
import { DataList } from "../../lists/table/data-list.tsx";
import type { Column } from "../../lists/table/list-table.tsx";
import { aroundValues } from "../../ui/text/around-values.ts";
import { ClockTime, useDayOf } from "../../ui/text/clock-time.tsx";
import { EmailText } from "../../ui/text/email-text.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useCan } from "../access/use-can.tsx";
import { AUDIT_ACTIONS, type AuditAction } from "./actions.ts";
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
  const nameOf = useActionNames();
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
      isSearchable={false}
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
          <FilterOptions
            name="action"
            label={t("audit.what")}
            value={filters.action}
            options={AUDIT_ACTIONS.map((action) => [action, nameOf(action)])}
          />
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
            <PartyLink param="target" party={row.target} namesakes={namesakes} />
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
  const urlWith = useListUrl();
  return (
    <span className="flex items-center gap-3">
      <EventIcon action={action} />
      <span className="grid min-w-0 max-w-80 grow grid-cols-1 leading-4.5 whitespace-normal">
        <Link to={urlWith({ action })} preventScrollReset className="list-sub-link font-medium">
          {nameOf(shownAction({ action, changes }))}
        </Link>
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
      className={`grid grid-cols-1 leading-4.5 rtl:leading-6 @max-[820px]:text-muted ${besideIconClass}`}
    >
      {actor ? <PartyLink param="actor" party={actor} namesakes={namesakes} /> : t("audit.system")}
      {impersonator && (
        <span className="flex gap-1 text-xs text-muted">
          {before}
          <PartyLink param="actor" party={impersonator} namesakes={namesakes} />
          {after}
        </span>
      )}
    </span>
  );
}

/** Names that several people have, which need the e-mail beside them. */
type Namesakes = { namesakes: ReadonlySet<string> };

type PartyLinkProps = Namesakes & { param: "actor" | "target"; party: Party };

/**
 * A name with a link that shows only its events. It wraps, because the end of a name in two scripts is not where a line
 * is cut.
 */
function PartyLink({ param, party, namesakes }: PartyLinkProps) {
  const { id, name, email, isThere } = party;
  const { t } = useTranslation("logs");
  const urlWith = useListUrl();
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-1 whitespace-normal">
      <Link
        to={urlWith({ [param]: id })}
        preventScrollReset
        title={email}
        className="list-sub-link"
      >
        <bdi className={name ? "" : "font-mono text-xs"}>{name ?? id}</bdi>
      </Link>
      {!isThere && <span className="shrink-0 text-xs text-muted">{t("audit.gone")}</span>}
      {name && email && namesakes.has(name) && (
        <EmailText className="basis-full text-xs text-muted">{email}</EmailText>
      )}
    </span>
  );
}
