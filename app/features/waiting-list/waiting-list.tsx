import { isLanguage, LANGUAGE_NAMES } from "../../i18n/languages.ts";
import type { BulkAnswer } from "../../lists/bulk/bulk-report.ts";
import { FilterOptions } from "../../lists/filters/filters.tsx";
import type { ListState } from "../../lists/query/list-state.ts";
import { DataList } from "../../lists/table/data-list.tsx";
import type { Column } from "../../lists/table/list-table.tsx";
import { type RowAction, RowAsk } from "../../lists/table/row-menu.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { ConfirmDrawer } from "../../ui/overlays/confirm-drawer.tsx";
import { EmailText } from "../../ui/text/email-text.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { RelativeTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { WaitingState } from "./waiting-states.ts";

type RequestRow = {
  id: string;
  email: string;
  language: string;
  createdAt: Date;
  decidedAt: Date | null;
};

const DECISIONS = [
  { intent: "approve", icon: "check", state: "approved" },
  { intent: "decline", icon: "x", state: "declined" },
] as const;

type WaitingListProps = {
  rows: RequestRow[];
  shown: WaitingState;
  /** False when there is no request in any state. */
  hasAny: boolean;
  state: ListState;
  now: Date;
  canDecide: boolean;
  answer: BulkAnswer | undefined;
};

/** List of people who asked to come in, by what was decided. */
export function WaitingList(props: WaitingListProps) {
  const { rows, shown, hasAny, state, canDecide, answer } = props;
  const { t } = useTranslation("waiting-list");
  const decided = shown === "waiting" ? undefined : shown;
  const actions = decisionsAbout(shown).map(
    ({ intent, icon }): RowAction => ({ intent, icon, label: t(`${intent}`) }),
  );
  return (
    <DataList
      label={t("title")}
      columns={useColumns(props)}
      rows={rows}
      rowKey={({ id }) => id}
      state={state}
      filters={{ state: decided }}
      isNarrowedAtFirst={hasAny}
      toolbar={
        <FilterOptions
          name="state"
          label={t("decision")}
          value={decided}
          unsetLabel={t("state.waiting")}
          options={DECISIONS.map((one) => [one.state, t(`state.${one.state}`)])}
        />
      }
      searchPlaceholder={t("search")}
      searchText={t("searchText")}
      emptyText={t("none")}
      selection={
        canDecide
          ? {
              nameOf: ({ email }) => email,
              actions: ({ length }) => <Decisions shown={shown} count={length} />,
              answer,
            }
          : undefined
      }
      rowMenu={
        canDecide
          ? { nameOf: ({ email }) => email, idOf: ({ id }) => id, actions: () => actions }
          : undefined
      }
    />
  );
}

function useColumns({ shown, state, now, canDecide }: WaitingListProps): Column<RequestRow>[] {
  const { t } = useTranslation("waiting-list");
  const isByEmail = state.searchTerm !== "";
  const columns: Column<RequestRow>[] = [
    {
      key: "email",
      label: t("email"),
      isOrder: isByEmail,
      card: "title",
      cell: ({ email }) => (
        <EmailText className="font-medium @max-[820px]:whitespace-normal">{email}</EmailText>
      ),
    },
    {
      key: "language",
      label: t("language"),
      card: "below",
      cell: ({ language, createdAt }) => (
        <span className="text-muted @max-[820px]:text-xs">
          <bdi>{isLanguage(language) ? LANGUAGE_NAMES[language] : language}</bdi>
          <span className="list-narrow">
            {" · "}
            <RelativeTime date={createdAt} now={now} />
          </span>
        </span>
      ),
    },
    {
      key: "asked",
      label: t("asked"),
      isOrder: !isByEmail,
      cell: ({ createdAt }) => <RelativeTime date={createdAt} now={now} />,
    },
  ];
  const decide: Column<RequestRow> = {
    key: "decide",
    label: "",
    card: "end",
    cell: ({ id, email }) => (
      <RowAsk id={id} intent="approve" label={t("approve")} name={isolate(email)} />
    ),
  };
  const decidedAt: Column<RequestRow> = {
    key: "decided",
    label: t("decided"),
    cell: (row) => row.decidedAt && <RelativeTime date={row.decidedAt} now={now} />,
  };
  if (shown !== "waiting") return [...columns, decidedAt];
  return canDecide ? [...columns, decide] : columns;
}

/** Returns what can still be decided about requests in this state. */
function decisionsAbout(shown: WaitingState) {
  return DECISIONS.filter(({ state }) => state !== shown);
}

/**
 * Buttons for the chosen requests. An approval does not ask first: it is what the people asked for, and can be declined
 * again until they have signed up. It offers no Undo, because their mail leaves at once.
 */
function Decisions({ shown, count }: { shown: WaitingState; count: number }) {
  const { t } = useTranslation("waiting-list");
  return decisionsAbout(shown).map(({ intent, icon }) =>
    intent === "approve" ? (
      <Button key={intent} name="intent" value={intent} variant="secondary" isSmall>
        <Icon name={icon} className="size-4" />
        {t("approve")}
      </Button>
    ) : (
      <ConfirmDrawer
        key={intent}
        isInForm
        intent={intent}
        needsProof
        icon={icon}
        trigger={t("decline")}
        text={count > 0 ? t("declineText", { count }) : t("declineTextAny")}
      />
    ),
  );
}
