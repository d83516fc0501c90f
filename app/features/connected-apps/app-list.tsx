import { Link } from "react-router";
import { FilterOptions } from "../../lists/filters/filters.tsx";
import type { ListState } from "../../lists/query/list-state.ts";
import { FROM_LIST } from "../../lists/table/back-link.tsx";
import { DataList } from "../../lists/table/data-list.tsx";
import type { Column } from "../../lists/table/list-table.tsx";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { NewLink } from "../../ui/layout/new-link.tsx";
import { Badge } from "../../ui/text/badge.tsx";
import { RecentDay } from "../../ui/text/relative-time.tsx";
import { ShortLink } from "../../ui/text/short-link.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { AppLogo } from "./app-logo.tsx";
import type { AppMaker } from "./app-makers.ts";
import { AppState } from "./app-state.tsx";
import { MAX_ORGANIZATION_APPS } from "./limits.ts";
import type { AppKind } from "./redirect-uris.ts";

type AppRow = {
  id: string;
  name: string;
  uri: string | null;
  clientId: string;
  logo: string | null;
  kind: AppKind;
  isRegistered: boolean;
  disabled: boolean;
  createdAt: Date;
  /** Name of the organization that it belongs to; null for an app of the site. */
  organization: string | null;
};

type AppListProps = {
  rows: AppRow[];
  /** Whose apps are shown. */
  maker?: AppMaker;
  state: ListState;
  /** True while apps may register themselves; undefined for owners, and when the list could not be read. */
  isOpen?: boolean | undefined;
  /** True when there is no room for another app. */
  isFull: boolean;
  /** True in the back-office, which lists the apps of all. */
  isOfSite?: boolean;
  /** True while managers do not allow new apps of organizations. */
  isOff?: boolean;
  mayChange: boolean;
  path: string;
  now: Date;
};

/** The apps that sign people in with this site, or those of an organization. */
export function AppList(props: AppListProps) {
  const { rows, maker = "all", state, isFull, isOpen, mayChange, path, now } = props;
  const { isOfSite = false, isOff = false } = props;
  const { t } = useTranslation("connected-apps");
  const mayMake = mayChange && !isFull && !isOff;
  const full = isOfSite ? t("office.full") : t("owned.full", { maximum: MAX_ORGANIZATION_APPS });
  const shown = maker === "all" ? undefined : maker;
  const isEmpty = rows.length === 0 && state.searchTerm === "" && !shown;
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="max-w-3xl text-sm text-muted">
          {t(isOfSite ? "office.intro" : "owned.intro")}
        </p>
        {mayMake && !isEmpty && <NewLink to={`${path}/new`}>{t("office.add")}</NewLink>}
      </div>
      {isOff && <p className="max-w-3xl text-sm">{t("owned.off")}</p>}
      {isFull && !isOff && mayChange && <p className="text-sm text-muted">{full}</p>}
      {isOpen !== undefined && (
        <p className="flex flex-wrap gap-x-3 gap-y-1 text-sm text-muted">
          {t(isOpen ? "registration.isOpen" : "registration.isClosed")}
          <Link
            prefetch="intent"
            to={`${path}/registration`}
            className="text-accent-ink underline underline-offset-4"
          >
            {t(mayChange ? "registration.change" : "registration.look")}
          </Link>
        </p>
      )}
      <DataList
        label={t("office.title")}
        columns={useColumns(path, now, isOfSite)}
        rows={rows}
        rowKey={({ id }) => id}
        state={state}
        filters={{ maker: shown }}
        toolbar={isOfSite && <MakerFilter value={shown} />}
        searchPlaceholder={t("office.search")}
        searchText={t("office.searchText")}
        emptyText={t(isOfSite ? "office.emptyText" : "owned.emptyText")}
        emptyAction={
          mayMake && (
            <ButtonLink to={`${path}/new`} isSmall>
              {t("office.add")}
            </ButtonLink>
          )
        }
      />
    </div>
  );
}

/** Whose apps are shown. */
function MakerFilter({ value }: { value: string | undefined }) {
  const { t } = useTranslation("connected-apps");
  return (
    <FilterOptions
      name="maker"
      label={t("office.by")}
      value={value}
      unsetLabel={t("office.makers.all")}
      options={[
        ["managers", t("office.makers.managers")],
        ["owners", t("office.makers.owners")],
        ["themselves", t("office.makers.themselves")],
      ]}
    />
  );
}

function useColumns(path: string, now: Date, isOfSite: boolean): Column<AppRow>[] {
  const { t } = useTranslation("connected-apps");
  const organization: Column<AppRow> = {
    key: "organization",
    label: t("owned.organization"),
    card: "line",
    cell: ({ organization: name }) =>
      name === null ? (
        <span className="list-wide text-muted">–</span>
      ) : (
        <bdi className="wrap-anywhere">{name}</bdi>
      ),
  };
  return [
    {
      key: "name",
      label: t("office.name"),
      card: "title",
      sort: "name",
      cell: ({ id, clientId, name, logo }) => (
        <Link prefetch="intent" to={`${path}/${id}`} state={FROM_LIST} className="list-link">
          <AppLogo clientId={clientId} name={name} logo={logo} />
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    {
      key: "page",
      label: t("office.uri"),
      card: "line",
      cell: ({ uri }) =>
        uri ? <ShortLink link={uri} /> : <span className="list-wide text-muted">–</span>,
    },
    ...(isOfSite ? [organization] : []),
    {
      key: "kind",
      label: t("office.kind"),
      card: "below",
      cell: ({ kind, isRegistered }) => (
        <span className="flex flex-wrap gap-x-2 gap-y-1 text-muted">
          <span className="whitespace-nowrap">{t(`office.kinds.${kind}`)}</span>
          {isRegistered && <Badge tone="border-line bg-sunken">{t("registration.itself")}</Badge>}
        </span>
      ),
    },
    {
      key: "state",
      label: t("office.state"),
      card: "end",
      cell: ({ disabled }) => <AppState disabled={disabled} />,
    },
    {
      key: "created",
      label: t("office.created"),
      sort: "created",
      cell: ({ createdAt }) => <RecentDay date={createdAt} now={now} />,
    },
  ];
}
