import type { ReactNode } from "react";
import { Form } from "react-router";
import { FilterOptions } from "../../../lists/filters/filters.tsx";
import type { ListState } from "../../../lists/query/list-state.ts";
import { DataList } from "../../../lists/table/data-list.tsx";
import type { Column } from "../../../lists/table/list-table.tsx";
import { ActionMenu, ActionMenuItem } from "../../../ui/overlays/action-menu.tsx";
import { aroundValues } from "../../../ui/text/around-values.ts";
import { EmailText } from "../../../ui/text/email-text.tsx";
import { isolate } from "../../../ui/text/isolate.ts";
import { RelativeTime } from "../../../ui/text/relative-time.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { rolesBelow } from "../../access/organization-permissions.ts";
import type { OrganizationRole } from "../../access/role-names.ts";
import { InvitationBadge, RoleBadge } from "../organization-badges.tsx";
import { type PartFormFrame, phoneLinkOf, useIsFormAsked } from "../part-form.tsx";
import type { InvitationState } from "./invitation-queries.server.ts";
import { InviteForm, type InviteReport } from "./invite-form.tsx";

export const INVITATION_STATES = [
  "open",
  "expired",
  "accepted",
  "declined",
  "cancelled",
] as const satisfies InvitationState[];

type InvitationRow = {
  id: string;
  email: string;
  role: OrganizationRole | null;
  state: InvitationState;
  teamId: string | null;
  inviter: string;
  expiresAt: Date;
  sentAt: Date;
  answeredAt: Date | null;
};

type InvitationListProps = {
  frame: PartFormFrame;
  rows: InvitationRow[];
  state: ListState;
  chosen: InvitationState | undefined;
  result: { values: Record<string, string>; errors: Record<string, string[]> } | undefined;
  report: InviteReport;
  /** E-mails of the report for which the site opens no account. */
  needsAccount: string[];
  /** False when nobody can create an account by an invitation of this user. */
  opensAccounts: boolean;
  now: Date;
  /** Fields of features in the form. */
  children: ReactNode;
  /** What features say of an invitation, after its inviter. */
  more: (row: InvitationRow) => ReactNode;
};

/** The form that invites people, and the invitations that were sent. */
export function InvitationList(props: InvitationListProps) {
  const { frame, rows, state, chosen, result, report, now } = props;
  const { t } = useTranslation("organizations");
  const isAsked = useIsFormAsked("invite");
  return (
    <div className="grid gap-6">
      {(isAsked || result || report) && (
        <InviteForm
          roles={rolesBelow(frame.role)}
          result={result}
          report={report}
          needsAccount={props.needsAccount}
          opensAccounts={props.opensAccounts}
        >
          {props.children}
        </InviteForm>
      )}
      <DataList
        label={t("invite.list")}
        columns={useColumns(now, props.more)}
        rows={rows}
        rowKey={({ id }) => id}
        state={state}
        {...phoneLinkOf("invitations", frame)}
        filters={{ state: chosen }}
        emptyText={t("invite.none")}
        toolbar={
          <FilterOptions
            name="state"
            label={t("invite.state")}
            value={chosen}
            options={INVITATION_STATES.map((name) => [name, t(`invite.states.${name}`)])}
          />
        }
      />
    </div>
  );
}

function useColumns(now: Date, more: InvitationListProps["more"]): Column<InvitationRow>[] {
  const { t } = useTranslation("organizations");
  return [
    {
      key: "email",
      label: t("membersList.email"),
      card: "title",
      cell: (row) => (
        <span className="grid grid-cols-1 gap-0.5 pb-1 md:py-1.5">
          <EmailText isOneLine className="w-fit max-w-full truncate font-medium">
            {row.email}
          </EmailText>
          <span className="list-wide truncate text-xs text-muted">
            {t("invite.by", { name: isolate(row.inviter) })}
            {more(row)}
          </span>
          <span className="list-narrow truncate text-xs text-muted">
            {t(`roles.${row.role ?? "member"}`)} · <InvitationTime invitation={row} now={now} />
          </span>
        </span>
      ),
    },
    {
      key: "role",
      label: t("membersList.role"),
      cell: ({ role }) => <RoleBadge role={role ?? "member"} />,
    },
    {
      key: "state",
      label: t("invite.state"),
      card: "end",
      cell: (row) => (
        <span className="flex items-center gap-2">
          <span className="@min-[820px]:min-w-22">
            <InvitationBadge state={row.state} />
          </span>
          <span className="list-wide text-muted">
            <InvitationTime invitation={row} now={now} />
          </span>
        </span>
      ),
    },
    {
      key: "sent",
      label: t("invite.sentAt"),
      cell: ({ sentAt }) => <RelativeTime date={sentAt} now={now} />,
    },
    {
      key: "actions",
      label: "",
      card: "menu",
      cell: (row) => <InvitationActions key={now.getTime()} invitation={row} />,
    },
  ];
}

/** When an open invitation expires, when an expired one did, or when the others were answered. */
function InvitationTime({ invitation, now }: { invitation: InvitationRow; now: Date }) {
  const { t } = useTranslation("organizations");
  const { state, expiresAt, answeredAt } = invitation;
  const time = <RelativeTime date={answeredAt ?? expiresAt} now={now} />;
  if (state !== "open") return time;
  const [before, after] = aroundValues((when) => t("invite.expires", { when }));
  return (
    <span className="list-time whitespace-nowrap">
      {before}
      {time}
      {after}
    </span>
  );
}

/** Sends an open or expired invitation again, or cancels it. */
function InvitationActions({ invitation }: { invitation: InvitationRow }) {
  const { t } = useTranslation("organizations");
  const { id, email, state } = invitation;
  if (state !== "open" && state !== "expired") return null;
  const target = <input type="hidden" name="invitation" value={id} />;
  return (
    <ActionMenu
      label={t("membersList.actions", { name: isolate(email) })}
      questions={[
        {
          intent: "cancel",
          icon: "x",
          title: t("invite.cancel"),
          text: t("invite.cancelText", { email: isolate(email) }),
          children: target,
        },
      ]}
    >
      <Form method="post">
        <input type="hidden" name="intent" value="resend" />
        {target}
        <ActionMenuItem icon="mail">{t("invite.resend")}</ActionMenuItem>
      </Form>
    </ActionMenu>
  );
}
