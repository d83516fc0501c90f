import type { ReactNode } from "react";
import { Form, href, Link } from "react-router";
import { BackLink } from "../../lists/back-link.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { ConfirmDrawer } from "../../ui/confirm-drawer.tsx";
import { EmailText } from "../../ui/email-text.tsx";
import { Formatted } from "../../ui/formatted.tsx";
import { Icon } from "../../ui/icon.tsx";
import { isolate } from "../../ui/isolate.ts";
import { Labelled } from "../../ui/labelled.tsx";
import { Notice } from "../../ui/notice.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { RoleBadge, StatusBadge } from "./badges.tsx";
import type { UserFormResult } from "./ban-fields.tsx";
import { BanControl, ImpersonateControl } from "./user-controls.tsx";
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
  sessions?: {
    id: string;
    device: { browser: string; system: string } | undefined;
    place: string | null;
    ipAddress: string | null;
    /** True when a manager uses this session to impersonate the user. */
    isImpersonated: boolean;
    createdAt: Date;
    lastSeenAt: Date | null;
  }[];
  /** Undefined when the manager may not see them. */
  methods?: SignInMethods;
  organizations: { id: string; name: string; role: string }[];
  activity: { id: string; action: string; createdAt: Date }[];
  isSelf: boolean;
  /** Values and errors of a refused form of this screen. */
  result: UserFormResult;
  now: Date;
};

/** Shows a user and the actions that a manager may take. */
export function UserDetail(props: UserDetailProps) {
  const { user, sessions, methods, organizations, activity, isSelf, result, now } = props;
  const { t } = useTranslation("users");
  const format = useFormat();
  const common = useTranslation().t;
  const { t: eventName } = useTranslation("events");
  const { id, name, email, avatar, role, status, banReason, banExpires } = user;
  const title = name || email;
  return (
    <div className="grid gap-6">
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

      {status === "banned" && (
        <section className="grid gap-2 rounded-md border border-danger-line bg-danger-fill p-4 text-sm">
          <p className="font-medium">
            {banExpires ? (
              <Formatted>
                {t("detail.bannedUntil", { date: format.longMoment(banExpires) })}
              </Formatted>
            ) : (
              t("detail.bannedForever")
            )}
          </p>
          {banReason && (
            <p className="whitespace-pre-line">
              <Labelled label={t("detail.reason")}>
                <bdi>{banReason}</bdi>
              </Labelled>
            </p>
          )}
        </section>
      )}

      {user.deletionDueAt && (
        <Notice kind="warning">
          <Formatted>
            {t("detail.deletionOn", { date: format.longMoment(user.deletionDueAt) })}
          </Formatted>
        </Notice>
      )}

      {methods?.isAsked && <SignInMethodsNotice title={title} email={email} methods={methods} />}

      {!user.lastSeenAt && status !== "banned" && <InvitationNotice />}

      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Panel title={t("detail.about")}>
          <dl className="grid gap-4 text-sm sm:grid-cols-2">
            <Fact term={t("email")}>
              <EmailText>{email}</EmailText>
            </Fact>
            <Fact term={t("created")}>
              <RelativeTime date={user.createdAt} now={now} />
            </Fact>
            <Fact term={t("detail.onboardedOn")}>
              {user.onboardedAt ? (
                <RelativeTime date={user.onboardedAt} now={now} />
              ) : (
                t("detail.notYet")
              )}
            </Fact>
            <Fact term={t("lastSeen")}>
              {user.lastSeenAt ? <RelativeTime date={user.lastSeenAt} now={now} /> : t("never")}
            </Fact>
          </dl>
        </Panel>
        {sessions && (
          <Panel title={t("detail.sessions")}>
            {sessions.length === 0 && (
              <p className="text-sm text-muted">{t("detail.noSessions")}</p>
            )}
            <ul className="grid gap-3">
              {sessions.map((session) => (
                <li key={session.id} className="flex items-center justify-between gap-3 text-sm">
                  <div className="grid gap-1">
                    <span>
                      {session.device
                        ? t("detail.device", session.device)
                        : t("detail.unknownDevice")}
                      {session.isImpersonated && ` · ${t("impersonate.session")}`}
                    </span>
                    <span className="text-muted">
                      {[session.place, session.ipAddress].filter(Boolean).join(" · ")}{" "}
                      <RelativeTime date={session.lastSeenAt ?? session.createdAt} now={now} />
                    </span>
                  </div>
                  <Form method="post">
                    <input type="hidden" name="intent" value="revoke" />
                    <Button variant="quiet" name="session" value={session.id}>
                      {t("detail.revoke")}
                    </Button>
                  </Form>
                </li>
              ))}
            </ul>
            {sessions.length > 1 && (
              <Form method="post">
                <Button variant="secondary" name="intent" value="revoke-all">
                  {t("detail.revokeAll")}
                </Button>
              </Form>
            )}
          </Panel>
        )}
        <Panel title={t("detail.accounts")}>
          {methods?.accounts.length === 0 && (
            <p className="text-sm text-muted">{t("detail.noAccounts")}</p>
          )}
          <ul className="grid gap-2 text-sm">
            {methods?.accounts.map(({ name: provider, createdAt }) => (
              <li key={provider} className="flex justify-between gap-3">
                <bdi>{provider}</bdi>
                <RelativeTime date={createdAt} now={now} />
              </li>
            ))}
          </ul>
          <h3 className="pt-2 text-sm font-medium">{t("detail.organizations")}</h3>
          {organizations.length === 0 && (
            <p className="text-sm text-muted">{t("detail.noOrganizations")}</p>
          )}
          <ul className="grid gap-2 text-sm">
            {organizations.map((organization) => (
              <li key={organization.id}>
                <bdi>{organization.name}</bdi>
              </li>
            ))}
          </ul>
        </Panel>
        <Panel title={t("detail.activity")}>
          {activity.length === 0 && <p className="text-sm text-muted">{t("detail.noActivity")}</p>}
          <ol className="grid gap-2 text-sm">
            {activity.map((event) => (
              <li key={event.id} className="flex justify-between gap-3">
                <span>{eventName(event.action as "user.created")}</span>
                <span className="text-muted">
                  <RelativeTime date={event.createdAt} now={now} />
                </span>
              </li>
            ))}
          </ol>
          <p className="flex flex-wrap gap-x-6 text-sm">
            {(["on", "by"] as const).map((side) => (
              <Link
                key={side}
                to={`${href("/manager/audit")}?${side === "on" ? "target" : "actor"}=${id}`}
                className="inline-flex min-h-11 items-center text-accent-ink underline underline-offset-4"
              >
                {t(`history.${side}`)}
              </Link>
            ))}
          </p>
        </Panel>
      </div>
    </div>
  );
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-4 rounded-md border border-line bg-panel p-6 shadow-low">
      <h2 className="text-base font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-1">
      <dt className="text-muted">{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
