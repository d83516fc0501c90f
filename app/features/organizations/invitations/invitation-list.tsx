import type { ComponentProps, ReactNode } from "react";
import { Form } from "react-router";
import { FilterOptions } from "../../../lists/filters/filters.tsx";
import type { ListState } from "../../../lists/query/list-state.ts";
import { DataList } from "../../../lists/table/data-list.tsx";
import type { Column } from "../../../lists/table/list-table.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { ActionMenu, ActionMenuItem, CopyItem } from "../../../ui/overlays/action-menu.tsx";
import { aroundValues } from "../../../ui/text/around-values.ts";
import { EmailText } from "../../../ui/text/email-text.tsx";
import { Icon } from "../../../ui/text/icon.tsx";
import { isolate } from "../../../ui/text/isolate.ts";
import { RelativeTime } from "../../../ui/text/relative-time.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { rolesBelow } from "../../access/organization-permissions.ts";
import type { OrganizationRole } from "../../access/role-names.ts";
import { InvitationBadge, RoleBadge } from "../organization-badges.tsx";
import { type PartFormFrame, phoneLinkOf, useIsFormAsked } from "../part-form.tsx";
import type { InvitationState } from "./invitation-queries.server.ts";
import { EmailItems, InviteForm, type InviteReport, Refused } from "./invite-form.tsx";
import { LinkPanel } from "./link-panel.tsx";

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
  /** URL of its page, to be copied. */
  url: string;
};

type InvitationListProps = {
  frame: PartFormFrame;
  rows: InvitationRow[];
  state: ListState;
  chosen: InvitationState | undefined;
  result: { values: Record<string, string>; errors: Record<string, string[]> } | undefined;
  report: InviteReport;
  /** The outcome for each invitation that was to be sent again. */
  resent: InviteReport;
  links: ComponentProps<typeof LinkPanel>["links"];
  linkResult: InvitationListProps["result"];
  linksOpenAccounts: boolean;
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
  const canChange = !frame.disabledAt && !frame.deletionDueAt;
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
      {props.resent && <Resent report={props.resent} />}
      {canChange && rows.some((row) => row.state === "open") && (
        <Form method="post">
          <Button variant="secondary" isSmall name="intent" value="resend-all">
            <Icon name="mail" className="size-4" />
            {t("invite.resendAll")}
          </Button>
        </Form>
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
      {canChange && (
        <LinkPanel
          links={props.links}
          result={props.linkResult}
          opensAccounts={props.linksOpenAccounts}
          now={now}
        />
      )}
    </div>
  );
}

/** Which invitations were sent again, and why others were not. */
function Resent({ report }: { report: NonNullable<InviteReport> }) {
  const { t } = useTranslation("organizations");
  const sent = report.filter(({ refusal }) => !refusal);
  const others = report.filter(({ refusal }) => refusal);
  return (
    <div role="status" className="grid gap-3">
      {sent.length > 0 && (
        <Notice kind="success">
          <p className="font-semibold">{t("invite.resent", { count: sent.length })}</p>
          <EmailItems emails={sent.map(({ name }) => name)} />
        </Notice>
      )}
      {others.length > 0 && (
        <Notice kind="warning">
          <p className="font-semibold">{t("invite.notResent")}</p>
          <Refused items={others} />
        </Notice>
      )}
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

type InvitationActionsProps = {
  invitation: Pick<InvitationRow, "id" | "email" | "state" | "url">;
  /** Path of the invitations' page, on the page of the members. */
  path?: string;
};

/** Copies the link of an open invitation, sends an open or expired one again, or cancels it. */
export function InvitationActions({ invitation, path }: InvitationActionsProps) {
  const { t } = useTranslation("organizations");
  const { id, email, state, url } = invitation;
  if (state !== "open" && state !== "expired") return null;
  const target = (
    <>
      <input type="hidden" name="invitation" value={id} />
      {path && <input type="hidden" name="back" value="members" />}
    </>
  );
  return (
    <ActionMenu
      label={t("membersList.actions", { name: isolate(email) })}
      questions={[
        {
          intent: "cancel",
          icon: "x",
          action: path,
          title: t("invite.cancel"),
          text: t("invite.cancelText", { email: isolate(email) }),
          children: target,
        },
      ]}
    >
      {state === "open" && (
        <CopyItem text={url} label={t("invite.copy")} withoutScripts={t("invite.openLink")} />
      )}
      <Form method="post" action={path}>
        <input type="hidden" name="intent" value="resend" />
        {target}
        <ActionMenuItem icon="mail">{t("invite.resend")}</ActionMenuItem>
      </Form>
    </ActionMenu>
  );
}
