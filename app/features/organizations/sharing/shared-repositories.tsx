import { useRef } from "react";
import { Form, href, Link, useLocation } from "react-router";
import { DataList } from "../../../lists/data-list.tsx";
import type { ListState } from "../../../lists/list-state.ts";
import type { Column } from "../../../lists/list-table.tsx";
import { ActionMenu } from "../../../ui/action-menu.tsx";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { inputClass } from "../../../ui/field.tsx";
import { isolate } from "../../../ui/isolate.ts";
import { Panel } from "../../../ui/panel.tsx";
import { RelativeTime } from "../../../ui/relative-time.tsx";
import { ShortLink } from "../../../ui/short-link.tsx";
import { useTranslation } from "../../../ui/translation.tsx";
import { useArrivalFocus } from "../../../ui/use-arrival-focus.ts";
import { SEARCH_TERM_MAX_LENGTH } from "../../../values/limits.ts";
import { type OrganizationRole, roleCan } from "../../access/organization-permissions.ts";
import { useIsFormAsked } from "../part-form.tsx";

type Repository = { id: string; name: string; link: string };
type SharedRepository = Repository & { sharedAt: Date };

type SharedRepositoriesProps = {
  frame: { role: OrganizationRole };
  rows: SharedRepository[];
  state: ListState;
  /** Undefined for members who may not share. */
  search: { term: string; found: Repository[] } | undefined;
  now: Date;
};

/** The repositories that are shared into an organization, and a search to share more. */
export function SharedRepositories({ frame, rows, state, search, now }: SharedRepositoriesProps) {
  const { t } = useTranslation("organizations");
  const { t: repositories } = useTranslation("repositories");
  const isAsked = useIsFormAsked("share");
  const columns: Column<SharedRepository>[] = [
    {
      key: "name",
      label: repositories("name"),
      card: "title",
      cell: ({ id, name }) => (
        <Link to={href("/app/repositories/:id", { id })} className="list-link">
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    {
      key: "link",
      label: repositories("link"),
      card: "line",
      cell: ({ link }) => <ShortLink link={link} />,
    },
    {
      key: "shared",
      label: t("repositories.sharedAt"),
      card: "end",
      cell: ({ sharedAt }) => <RelativeTime date={sharedAt} now={now} />,
    },
    ...(roleCan(frame.role, "repository", "delete")
      ? [
          {
            key: "actions",
            label: "",
            card: "more" as const,
            cell: (row: SharedRepository) => <SharedActions key={now.getTime()} repository={row} />,
          },
        ]
      : []),
  ];
  return (
    <div className="grid gap-6">
      {search && isAsked && <ShareForm {...search} />}
      <DataList
        label={t("nav.repositories")}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        state={state}
        emptyText={t("overview.noRepositories")}
      />
    </div>
  );
}

function SharedActions({ repository: { id, name } }: { repository: Repository }) {
  const { t } = useTranslation("organizations");
  return (
    <ActionMenu
      label={t("membersList.actions", { name: isolate(name) })}
      questions={[
        {
          intent: "unshare",
          icon: "x",
          title: t("repositories.unshare"),
          text: t("repositories.unshareText", { name: isolate(name) }),
          children: <input type="hidden" name="repository" value={id} />,
        },
      ]}
    />
  );
}

/** Searches repositories by name, link or description; each that is found has a button. */
function ShareForm({ term, found }: { term: string; found: Repository[] }) {
  const { t } = useTranslation("organizations");
  const common = useTranslation().t;
  const { pathname } = useLocation();
  const form = useRef<HTMLFormElement>(null);
  useArrivalFocus(form);
  return (
    <Panel
      title={t("repositories.share")}
      action={
        <ButtonLink variant="secondary" isSmall to={pathname} preventScrollReset>
          {common("actions.cancel")}
        </ButtonLink>
      }
    >
      <Form
        ref={form}
        method="get"
        role="search"
        aria-label={t("repositories.search")}
        className="flex gap-3"
      >
        <input
          type="search"
          name="share"
          aria-label={t("repositories.search")}
          placeholder={t("repositories.search")}
          dir="auto"
          maxLength={SEARCH_TERM_MAX_LENGTH}
          defaultValue={term}
          className={`${inputClass} min-w-0 grow [&::-webkit-search-cancel-button]:hidden`}
        />
        <Button variant="secondary" className="shrink-0">
          {t("repositories.searchButton")}
        </Button>
      </Form>
      {term && found.length === 0 && (
        <p role="status" className="text-sm text-muted">
          {t("repositories.nothing", { searchTerm: isolate(term) })}
        </p>
      )}
      {found.length > 0 && (
        <ul aria-label={t("repositories.found")} className="grid divide-y divide-line">
          {found.map(({ id, name, link }) => (
            <li key={id} className="flex min-w-0 items-center justify-between gap-3 py-2 text-sm">
              <span className="grid min-w-0 grow grid-cols-1">
                <bdi className="w-fit max-w-full truncate font-medium">{name}</bdi>
                <ShortLink link={link} />
              </span>
              <Form method="post" className="shrink-0">
                <input type="hidden" name="intent" value="share" />
                <Button variant="secondary" isSmall name="repository" value={id}>
                  {t("repositories.shareButton")}
                </Button>
              </Form>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
