import { href, Link } from "react-router";
import type { BulkAnswer } from "../../../lists/bulk/bulk-report.ts";
import { FilterDays } from "../../../lists/filters/filter-days.tsx";
import { FilterOptions } from "../../../lists/filters/filters.tsx";
import type { ListState } from "../../../lists/query/list-state.ts";
import { FROM_LIST } from "../../../lists/table/back-link.tsx";
import { DataList } from "../../../lists/table/data-list.tsx";
import type { Column } from "../../../lists/table/list-table.tsx";
import type { RowMenuOptions } from "../../../lists/table/row-menu.tsx";
import { ToolText, toolClass } from "../../../lists/table/tool-text.tsx";
import { Avatar } from "../../../ui/text/avatar.tsx";
import { EmailText } from "../../../ui/text/email-text.tsx";
import { isolate } from "../../../ui/text/isolate.ts";
import { ActiveTime, RecentDay } from "../../../ui/text/relative-time.tsx";
import { useText, useTranslation } from "../../../ui/text/translation.tsx";
import { You } from "../../../ui/text/you.tsx";
import { navigationIn } from "../../access/navigation.ts";
import type { Role } from "../../access/role-names.ts";
import { useCan, useMay } from "../../access/use-can.tsx";
import type { UsersChange } from "../commands/input.ts";
import { RoleBadges, RoleMark, StatusBadge } from "../screen/badges.tsx";
import { ROLE_FILTERS, SEEN_DAYS, STATUS_FILTERS, type UserFilters } from "./filter-options.ts";
import { UserBulkActions } from "./user-bulk-actions.tsx";
import type { ShownStatus } from "./user-queries.server.ts";

const TOOLS = navigationIn("users");

type UserListRow = {
  id: string;
  name: string;
  email: string;
  avatar: string | null;
  roles: Role[];
  status: ShownStatus;
  createdAt: Date;
  lastSeenAt: Date | null;
};

type UserListProps = {
  rows: UserListRow[];
  state: ListState;
  filters: UserFilters;
  now: Date;
  intents: UsersChange["intent"][];
  /** Id of the signed-in manager. The server refuses these changes of their own account. */
  ownId: string;
  answer: BulkAnswer | undefined;
};

export function UserList(props: UserListProps) {
  const { rows, state, filters, now, intents, ownId, answer } = props;
  const { t } = useTranslation("users");
  const can = useCan();
  return (
    <DataList
      label={t("title")}
      columns={useColumns(now, state.sort, ownId)}
      rows={rows}
      rowKey={({ id }) => id}
      state={state}
      filters={filters}
      searchText={
        state.searchTerm.includes("@") &&
        can("mail", "read") && <WhyNoCode email={state.searchTerm} />
      }
      exportPath={can("user", "export") ? href("/manager/users/export") : undefined}
      tools={<FeatureTools />}
      selection={
        intents.length > 0
          ? {
              nameOf: ({ name, email }) => name || email,
              canChoose: ({ id }) => id !== ownId,
              actions: (chosen) => <UserBulkActions chosen={chosen} intents={intents} />,
              answer,
            }
          : undefined
      }
      toolbar={<UserFilterControls filters={filters} />}
      rowMenu={useRowMenuOptions(intents, ownId)}
    />
  );
}

/** Leads from an e-mail without an account to what happened at its sign-in. */
function WhyNoCode({ email }: { email: string }) {
  const { t } = useTranslation("users");
  const search = new URLSearchParams({ email });
  return (
    <Link to={`${href("/manager/mail/sign-in")}?${search}`} className="link">
      {t("whyNoCode", { email: isolate(email) })}
    </Link>
  );
}

/** The tools that features add to the list. */
function FeatureTools() {
  const may = useMay();
  const text = useText();
  return TOOLS.filter(({ needs }) => may(needs)).map(({ to, label, short, icon }) => (
    <Link key={to} to={to} aria-label={text(label)} className={toolClass}>
      {icon && <ToolText icon={icon} text={text(short ?? label)} />}
    </Link>
  ));
}

function UserFilterControls({ filters }: { filters: UserFilters }) {
  const { t } = useTranslation("users");
  return (
    <>
      <FilterOptions
        name="role"
        label={t("role")}
        value={filters.role}
        options={ROLE_FILTERS.map((role) => [role, t(`roles.${role}`)])}
      />
      <FilterOptions
        name="status"
        label={t("status")}
        value={filters.status}
        options={STATUS_FILTERS.map((status) => [status, t(`statuses.${status}`)])}
      />
      <FilterDays label={t("created")} from={filters.from} to={filters.to} />
      <FilterDays
        label={t("lastSeen")}
        from={filters.seenFrom}
        to={filters.seenTo}
        names={SEEN_DAYS}
      />
    </>
  );
}

function useColumns(now: Date, sort: string, ownId: string): Column<UserListRow>[] {
  const { t } = useTranslation("users");
  const created = { label: t("created"), sort: "created" };
  const seen = { label: t("lastSeen"), sort: "seen" };
  // First the date that the list is in the order of, else when the user was last seen. A card has
  // no room for the other.
  const isByCreated = sort === created.sort;
  return [
    {
      key: "name",
      label: t("name"),
      card: "title",
      sort: "name",
      also: { label: t("email"), sort: "email" },
      cell: (user) => <UserCell user={user} isSelf={user.id === ownId} />,
    },
    { key: "role", label: t("role"), cell: ({ roles }) => <RoleBadges roles={roles} /> },
    {
      key: "status",
      label: t("status"),
      card: "below",
      cell: ({ name, status }) =>
        name ? (
          <StatusBadge status={status} />
        ) : (
          <span className="list-wide">
            <StatusBadge status={status} />
          </span>
        ),
    },
    {
      key: "date",
      ...(isByCreated ? { ...created, also: seen } : { ...seen, also: created }),
      card: "end",
      cell: ({ createdAt, lastSeenAt }) => {
        const seenAt = lastSeenAt ? (
          <ActiveTime date={lastSeenAt} now={now} lastHour={t("seenLastHour")} />
        ) : (
          <span className="list-time whitespace-nowrap">{t("never")}</span>
        );
        const created = <RecentDay date={createdAt} now={now} />;
        return (
          <>
            {isByCreated ? created : seenAt}
            <span className="list-wide block text-xs first-letter:uppercase">
              {isByCreated ? seenAt : created}
            </span>
          </>
        );
      },
    },
  ];
}

/**
 * Name and e-mail; the name leads to the user's screen. On a card the state of a user without a
 * name stands in its place.
 */
function UserCell({ user, isSelf }: { user: UserListRow; isSelf: boolean }) {
  const { t } = useTranslation("users");
  const { id, name, email, avatar, roles, status } = user;
  return (
    <div className="list-person">
      <Link
        prefetch="intent"
        to={href("/manager/users/:id", { id })}
        state={FROM_LIST}
        className="list-link"
      >
        <Avatar name={name} email={email} avatar={avatar} />
        {name ? (
          <bdi>{name}</bdi>
        ) : (
          <>
            <bdi className="list-wide font-normal text-muted">{t("noName")}</bdi>
            <span className="list-narrow">
              <StatusBadge status={status} />
            </span>
          </>
        )}
        {isSelf && <You />}
      </Link>
      <span className="list-person-email">
        <RoleMark roles={roles} />
        <EmailText isOneLine className="truncate">
          {email}
        </EmailText>
      </span>
    </div>
  );
}

/** What the "⋯" of a user offers: the screens, and the changes that the manager may make. */
function useRowMenuOptions(
  intents: UsersChange["intent"][],
  ownId: string,
): RowMenuOptions<UserListRow> {
  const { t } = useTranslation("users");
  const common = useTranslation().t;
  const can = useCan();
  const pathOf = ({ id }: { id: string }) => href("/manager/users/:id", { id });
  const mayBan = intents.includes("ban");
  return {
    nameOf: ({ name, email }) => name || email,
    idOf: ({ id }) => id,
    screen: { icon: "circle-user", pathOf },
    links: (user) => [
      can("mail", "read") && {
        to: `${pathOf(user)}?tab=emails`,
        icon: "mail",
        label: t("rowMenu.emails"),
      },
      can("user", "update") && {
        to: href("/manager/users/:id/update", { id: user.id }),
        icon: "pencil",
        label: common("actions.edit"),
      },
    ],
    actions: ({ id, status }) => {
      if (id === ownId) return [];
      const isBanned = status === "banned";
      return [
        mayBan &&
          !isBanned && { intent: "ban", icon: "ban", label: t("ban.title"), isDestructive: true },
        mayBan && isBanned && { intent: "unban", icon: "check", label: t("ban.unban") },
        intents.includes("delete") && {
          intent: "delete",
          icon: "trash-2",
          label: common("actions.delete"),
          isDestructive: true,
        },
      ];
    },
  };
}
