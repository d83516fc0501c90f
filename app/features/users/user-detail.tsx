import { href } from "react-router";
import { BackLink } from "../../lists/back-link.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { ConfirmDrawer } from "../../ui/confirm-drawer.tsx";
import { Formatted } from "../../ui/formatted.tsx";
import { Icon } from "../../ui/icon.tsx";
import { isolate } from "../../ui/isolate.ts";
import { Labelled } from "../../ui/labelled.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { RoleBadge, StatusBadge } from "./badges.tsx";
import type { UserFormResult } from "./ban-fields.tsx";
import { BanControl, ImpersonateControl } from "./user-controls.tsx";
import {
  AboutPanel,
  AccountsPanel,
  ActivityPanel,
  SessionsPanel,
  type UserEvent,
  type UserOrganization,
  type UserSession,
} from "./user-panels.tsx";
import type { UserStatus } from "./user-queries.server.ts";
import {
  InvitationNotice,
  type SignInMethods,
  SignInMethodsNotice,
} from "./user-sign-in-methods.tsx";

export type UserDetailProps = {
  user: {
    id: string;
    name: string;
    email: string;
    avatar: string | null;
    role: "admin" | "user";
    status: UserStatus;
    createdAt: Date;
    lastSeenAt: Date | null;
    onboardedAt: Date | null;
    banReason: string | null;
    banExpires: Date | null;
    deletionDueAt: Date | null;
  };
  /** Undefined when the manager may not see them. */
  sessions?: UserSession[];
  /** Undefined when the manager may not see them. */
  methods?: SignInMethods;
  organizations: UserOrganization[];
  activity: UserEvent[];
  isSelf: boolean;
  /** Values and errors of a refused form of this screen. */
  result: UserFormResult;
  now: Date;
};

/** Shows a user and the actions that a manager may take. */
export function UserDetail(props: UserDetailProps) {
  const { user, sessions, methods, organizations, activity, now } = props;
  const { t } = useTranslation("users");
  const format = useFormat();
  const { id, name, email, status, deletionDueAt } = user;
  return (
    <div className="grid gap-6">
      <DetailHeader user={user} isSelf={props.isSelf} result={props.result} now={now} />

      {status === "banned" && <BanNotice reason={user.banReason} expires={user.banExpires} />}

      {deletionDueAt && (
        <Notice kind="warning">
          <Formatted>
            {t("detail.deletionOn", { date: format.longMoment(deletionDueAt) })}
          </Formatted>
        </Notice>
      )}

      {methods?.isAsked && (
        <SignInMethodsNotice title={name || email} email={email} methods={methods} />
      )}

      {!user.lastSeenAt && status !== "banned" && <InvitationNotice />}

      <div className="grid items-start gap-6 lg:grid-cols-2">
        <AboutPanel user={user} now={now} />
        {sessions && <SessionsPanel sessions={sessions} now={now} />}
        <AccountsPanel methods={methods} organizations={organizations} now={now} />
        <ActivityPanel userId={id} activity={activity} now={now} />
      </div>
    </div>
  );
}

type DetailHeaderProps = Pick<UserDetailProps, "user" | "isSelf" | "result" | "now">;

/** The user's name, role and status, and the actions on the user. */
function DetailHeader({ user, isSelf, result, now }: DetailHeaderProps) {
  const { t } = useTranslation("users");
  const common = useTranslation().t;
  const { id, name, email, avatar, role, status } = user;
  const title = name || email;
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <div className="flex min-w-0 items-center gap-4">
        <BackLink to={href("/manager/users")} aria-label={common("actions.back")}>
          <Icon name="arrow-left" className="size-5 rtl:-scale-x-100" />
        </BackLink>
        <Avatar name={name} email={email} avatar={avatar} size="lg" />
        <div className="grid gap-1">
          <h1 className="text-xl font-semibold">
            <bdi>{title}</bdi>
          </h1>
          <div className="flex flex-wrap items-center gap-2">
            <RoleBadge role={role} />
            <StatusBadge status={status} />
            {isSelf && <span className="text-sm text-muted">{t("you")}</span>}
          </div>
        </div>
      </div>
      <div className="flex flex-wrap gap-3">
        <ButtonLink variant="secondary" to={href("/manager/users/:id/update", { id })}>
          <Icon name="pencil" className="size-4" />
          {common("actions.edit")}
        </ButtonLink>
        {!isSelf && role === "user" && status !== "banned" && (
          <ImpersonateControl title={title} result={result} />
        )}
        {!isSelf && (
          <BanControl title={title} isBanned={status === "banned"} result={result} now={now} />
        )}
        {!isSelf && (
          <ConfirmDrawer
            intent="delete"
            text={t("deleteText", { name: isolate(title) })}
            isDestructive
            icon="trash-2"
            trigger={common("actions.delete")}
          />
        )}
      </div>
    </div>
  );
}

type BanNoticeProps = { reason: string | null; expires: Date | null };

/** Says until when the user is banned, and why. */
function BanNotice({ reason, expires }: BanNoticeProps) {
  const { t } = useTranslation("users");
  const format = useFormat();
  return (
    <section className="grid gap-2 rounded-md border border-danger-line bg-danger-fill p-4 text-sm">
      <p className="font-medium">
        {expires ? (
          <Formatted>{t("detail.bannedUntil", { date: format.longMoment(expires) })}</Formatted>
        ) : (
          t("detail.bannedForever")
        )}
      </p>
      {reason && (
        <p className="whitespace-pre-line">
          <Labelled label={t("detail.reason")}>
            <bdi>{reason}</bdi>
          </Labelled>
        </p>
      )}
    </section>
  );
}
