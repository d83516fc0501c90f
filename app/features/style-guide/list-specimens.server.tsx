import { LANGUAGE_NAMES, LANGUAGES } from "../../i18n/languages.ts";
import { FilterOptions } from "../../lists/filters/filters.tsx";
import type { ListState } from "../../lists/query/list-state.ts";
import { DataList } from "../../lists/table/data-list.tsx";
import type { Column } from "../../lists/table/list-table.tsx";
import { Button, ButtonLink } from "../../ui/forms/button.tsx";
import { Avatar } from "../../ui/text/avatar.tsx";
import { Badge, QuietState } from "../../ui/text/badge.tsx";
import { RelativeTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { You } from "../../ui/text/you.tsx";
import { EMAIL, NAMES, NOW } from "./samples.ts";
import type { Specimen } from "./specimen.ts";

type Person = { id: string; name: string; seenAt: Date; isInvited: boolean };

const PEOPLE: Person[] = NAMES.map((name, index) => ({
  id: String(index),
  name,
  seenAt: new Date(NOW.getTime() - index ** 2 * 7_000_000),
  isInvited: index === 3,
}));

const STATE: ListState = {
  searchTerm: "",
  sort: "seen",
  direction: "desc",
  size: 25,
  notices: [],
  total: { count: 128, isCapped: false },
  shown: PEOPLE.length,
  more: { pages: "2" },
  isFirstPage: true,
};

const NO_ROWS: ListState = {
  ...STATE,
  total: { count: 0, isCapped: false },
  shown: 0,
  more: undefined,
};

/** A whole list, which is as wide as the page, and what stands in the place of its rows. */
export const LIST_SPECIMENS: Record<string, Specimen> = {
  "data-list": () => <People state={STATE} rows={PEOPLE} />,
  "data-list, empty": () => <WithoutRows />,
  "data-list, nothing found": () => <WithoutRows searchTerm="zz" />,
  "data-list, failed": () => <WithoutRows isFailed />,
};

/** Inert: a page has one search. */
function WithoutRows(state: Partial<ListState>) {
  return (
    <div inert>
      <People state={{ ...NO_ROWS, ...state }} rows={[]} />
    </div>
  );
}

function People({ state, rows }: { state: ListState; rows: Person[] }) {
  const language = rows.length > 0 ? "sw" : undefined;
  const { t } = useTranslation("dev");
  const { t: common } = useTranslation();
  return (
    <DataList
      label="data-list"
      columns={useColumns()}
      rows={rows}
      rowKey={({ id }) => id}
      state={state}
      filters={{ language }}
      emptyText={t("ui.sentence")}
      emptyAction={
        <ButtonLink to="." isSmall>
          {common("actions.back")}
        </ButtonLink>
      }
      toolbar={
        <>
          <FilterOptions
            name="language"
            label={common("language.choose")}
            value={language}
            options={LANGUAGES.map((code) => [code, LANGUAGE_NAMES[code]])}
          />
          <FilterOptions name="word" label={t("ui.word")} value={undefined} options={[]} />
        </>
      }
      selection={{
        nameOf: ({ name }) => name,
        canChoose: ({ id }) => id !== "0",
        actions: () => (
          <Button type="button" variant="secondary" isSmall>
            {common("actions.edit")}
          </Button>
        ),
        answer: undefined,
      }}
      rowMenu={{ nameOf: ({ name }) => name, idOf: ({ id }) => id }}
    />
  );
}

function useColumns(): Column<Person>[] {
  const { t } = useTranslation("repositories");
  const { t: login } = useTranslation("login");
  const { t: common } = useTranslation();
  return [
    {
      key: "name",
      label: t("name"),
      sort: "name",
      card: "title",
      cell: ({ id, name }) => (
        <span className="flex items-center gap-2">
          <Avatar name={name} email={name} avatar={null} />
          <a href="." className="list-link">
            <bdi>{name}</bdi>
          </a>
          {id === "0" && <You />}
        </span>
      ),
    },
    { key: "email", label: login("email"), card: "line", cell: () => <bdi>{EMAIL}</bdi> },
    {
      key: "state",
      label: common("theme.choose"),
      card: "end",
      cell: ({ isInvited }) =>
        isInvited ? (
          <Badge tone="border-warning-line bg-warning-fill">{common("theme.dark")}</Badge>
        ) : (
          <QuietState>{common("theme.light")}</QuietState>
        ),
    },
    {
      key: "seen",
      label: t("updated"),
      sort: "seen",
      card: "badge",
      cell: ({ seenAt }) => <RelativeTime date={seenAt} now={NOW} />,
    },
  ];
}
