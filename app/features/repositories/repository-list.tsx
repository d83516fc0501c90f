import { Link } from "react-router";
import type { BulkAnswer } from "../../lists/bulk/bulk-report.ts";
import type { ListState } from "../../lists/query/list-state.ts";
import { FROM_LIST } from "../../lists/table/back-link.tsx";
import { DataList } from "../../lists/table/data-list.tsx";
import type { Column } from "../../lists/table/list-table.tsx";
import type { RowMenuOptions } from "../../lists/table/row-menu.tsx";
import { ConfirmDrawer } from "../../ui/overlays/confirm-drawer.tsx";
import { RecentDay, RelativeTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";

type RepositoryRow = {
  id: string;
  name: string;
  /** First line of the description. */
  excerpt: string | null;
  createdAt: Date;
  updatedAt: Date;
};

type RepositoryListProps = {
  rows: RepositoryRow[];
  state: ListState;
  now: Date;
  detailHref: (id: string) => string;
  emptyAction?: React.ReactNode;
  emptyText?: React.ReactNode;
  exportPath?: string;
  canDelete?: boolean;
  /** Undefined where rows have no menu. */
  rowMenu?: RowMenuOptions<RepositoryRow>;
  answer?: BulkAnswer;
};

/** List of repositories, for managers and users. */
export function RepositoryList(props: RepositoryListProps) {
  const { rows, state, now, detailHref, emptyAction, emptyText, exportPath } = props;
  const { canDelete, rowMenu, answer } = props;
  const { t } = useTranslation("repositories");
  // A card shows one of the dates: the one that the list is in the order of.
  const isByCreated = state.sort === "created";
  const columns: Column<RepositoryRow>[] = [
    {
      key: "name",
      label: t("name"),
      card: "title",
      sort: "name",
      cell: ({ id, name }) => (
        <Link prefetch="intent" to={detailHref(id)} state={FROM_LIST} className="list-link">
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    {
      key: "description",
      label: t("description"),
      card: "line",
      cell: ({ excerpt }) =>
        excerpt ? (
          <bdi className="text-muted">{excerpt}</bdi>
        ) : (
          <span className="list-wide text-muted">–</span>
        ),
    },
    {
      key: "created",
      label: t("created"),
      ...(isByCreated && { card: "end" }),
      sort: "created",
      cell: ({ createdAt }) => <RecentDay date={createdAt} now={now} />,
    },
    {
      key: "updated",
      label: t("updated"),
      ...(!isByCreated && { card: "end" }),
      sort: "updated",
      cell: ({ updatedAt }) => <RelativeTime date={updatedAt} now={now} />,
    },
  ];
  return (
    <DataList
      label={t("title")}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      state={state}
      emptyAction={emptyAction}
      emptyText={emptyText}
      exportPath={exportPath}
      rowMenu={rowMenu}
      selection={
        canDelete
          ? {
              nameOf: ({ name }) => name,
              actions: ({ length }) => <DeleteMany count={length} />,
              answer,
            }
          : undefined
      }
    />
  );
}

function DeleteMany({ count }: { count: number }) {
  const { t } = useTranslation("repositories");
  const common = useTranslation().t;
  return (
    <ConfirmDrawer
      isInForm
      intent="delete"
      needsProof
      text={count > 0 ? t("bulk.deleteText", { count }) : t("bulk.deleteTextAny")}
      isDestructive
      icon="trash-2"
      trigger={common("actions.delete")}
    />
  );
}
