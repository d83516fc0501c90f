import { FilterOptions } from "../../../lists/filters/filters.tsx";
import type { ListState } from "../../../lists/query/list-state.ts";
import { DataList } from "../../../lists/table/data-list.tsx";
import type { Column } from "../../../lists/table/list-table.tsx";
import { Avatar } from "../../../ui/text/avatar.tsx";
import { EmailText } from "../../../ui/text/email-text.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { You } from "../../../ui/text/you.tsx";
import { roleCan } from "../../access/organization-permissions.ts";
import { ORGANIZATION_ROLES, type OrganizationRole } from "../../access/role-names.ts";
import { JoinedTime } from "../joined-time.tsx";
import { RoleBadge, StandingBadges } from "../organization-badges.tsx";
import { type PartFormFrame, phoneLinkOf } from "../part-form.tsx";
import { MemberActions } from "./member-actions.tsx";

type MemberRow = {
  id: string;
  userId: string;
  name: string;
  email: string;
  avatar: string | null;
  role: OrganizationRole;
  createdAt: Date;
  isBanned: boolean;
  isBeingDeleted: boolean;
};

type MemberListProps = {
  frame: PartFormFrame;
  rows: MemberRow[];
  state: ListState;
  role: OrganizationRole | undefined;
  ownId: string;
  now: Date;
};

/** Returns the role of the list's filter; undefined without one. */
export function readRole(value: string | null): OrganizationRole | undefined {
  return ORGANIZATION_ROLES.find((role) => role === value);
}

/** The members of an organization, with what the signed-in member may do with each. */
export function MemberList({ frame, rows, state, role, ownId, now }: MemberListProps) {
  const { t } = useTranslation("organizations");
  const ownRole = frame.role;
  const columns: Column<MemberRow>[] = [
    {
      key: "name",
      label: t("name"),
      isLong: true,
      card: "title",
      cell: ({ userId, name, email, avatar }) => (
        <span className="list-link">
          <Avatar name={name} email={email} avatar={avatar} />
          <bdi>{name || email}</bdi>
          {userId === ownId && <You />}
        </span>
      ),
    },
    {
      key: "email",
      label: t("membersList.email"),
      card: "line",
      cell: ({ email }) => (
        <EmailText isOneLine className="text-muted">
          {email}
        </EmailText>
      ),
    },
    {
      key: "role",
      label: t("membersList.role"),
      card: "end",
      cell: (row) => <RoleCell row={row} />,
    },
    {
      key: "joined",
      label: t("membersList.joined"),
      card: "below",
      cell: ({ createdAt }) => (
        <JoinedTime date={createdAt} now={now} className="list-time" wordsClass="list-narrow" />
      ),
    },
    ...(roleCan(ownRole, "member", "update")
      ? [
          {
            key: "actions",
            label: "",
            card: "menu" as const,
            cell: (row: MemberRow) => (
              <MemberActions
                key={now.getTime()}
                member={row}
                ownRole={ownRole}
                isSelf={row.userId === ownId}
              />
            ),
          },
        ]
      : []),
  ];
  return (
    <DataList
      label={t("nav.members")}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      state={state}
      {...phoneLinkOf("members", frame)}
      filters={{ role }}
      toolbar={
        <FilterOptions
          name="role"
          label={t("membersList.role")}
          value={role}
          options={ORGANIZATION_ROLES.map((name) => [name, t(`roles.${name}`)])}
        />
      }
    />
  );
}

/** The role, and whether the member cannot act now. */
function RoleCell({ row }: { row: MemberRow }) {
  return (
    <span className="flex flex-wrap gap-2 @min-[820px]:flex-nowrap">
      <RoleBadge role={row.role} />
      <StandingBadges {...row} />
    </span>
  );
}
