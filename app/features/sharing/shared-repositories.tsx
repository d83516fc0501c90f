import { href, Link } from "react-router";
import type { ListState } from "../../lists/query/list-state.ts";
import { DataList } from "../../lists/table/data-list.tsx";
import type { Column } from "../../lists/table/list-table.tsx";
import { FormErrors } from "../../ui/forms/form-errors.tsx";
import { ActionMenu } from "../../ui/overlays/action-menu.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { RecentDay } from "../../ui/text/relative-time.tsx";
import { ShortLink } from "../../ui/text/short-link.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { roleCan } from "../access/organization-permissions.ts";
import { type PartFormFrame, phoneLinkOf, useIsFormAsked } from "../organizations/part-form.tsx";
import { ShareDrawer } from "./share-drawer.tsx";

type Repository = { id: string; name: string; link: string };
type SharedRepository = Repository & { sharedAt: Date };

type SharedRepositoriesProps = {
  frame: PartFormFrame;
  rows: SharedRepository[];
  state: ListState;
  /** Undefined for members who may not share. */
  search: { term: string; found: Repository[]; hasMore: boolean } | undefined;
  errors: string[] | undefined;
  now: Date;
};

/** The repositories that are shared into an organization, and a search to share more. */
export function SharedRepositories(props: SharedRepositoriesProps) {
  const { frame, rows, state, search, errors, now } = props;
  const { t } = useTranslation("organizations");
  const { t: repositories } = useTranslation("repositories");
  const isAsked = useIsFormAsked("share");
  const columns: Column<SharedRepository>[] = [
    {
      key: "name",
      label: repositories("name"),
      card: "title",
      cell: ({ id, name }) => (
        <Link prefetch="intent" to={href("/app/repositories/:id", { id })} className="list-link">
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
      cell: ({ sharedAt }) => <RecentDay date={sharedAt} now={now} />,
    },
    ...(roleCan(frame.role, "repository", "delete")
      ? [
          {
            key: "actions",
            label: "",
            card: "menu" as const,
            cell: (row: SharedRepository) => <SharedActions key={now.getTime()} repository={row} />,
          },
        ]
      : []),
  ];
  return (
    <div className="grid gap-6">
      {search && isAsked ? (
        <ShareDrawer {...search} errors={errors} />
      ) : (
        <FormErrors errors={errors} />
      )}
      <DataList
        label={t("nav.repositories")}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        state={state}
        {...phoneLinkOf("repositories", frame)}
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
