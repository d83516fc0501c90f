import type { ReactNode } from "react";
import { Form, href, Link } from "react-router";
import { Button } from "../../ui/button.tsx";
import { EmailText } from "../../ui/email-text.tsx";
import { Panel } from "../../ui/panel.tsx";
import { DetailTime, RelativeTime } from "../../ui/relative-time.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import type { SignInMethods } from "./user-sign-in-methods.tsx";

type AboutPanelProps = {
  user: { email: string; createdAt: Date; lastSeenAt: Date | null; onboardedAt: Date | null };
  now: Date;
};

/** E-mail and dates of the user. */
export function AboutPanel({ user, now }: AboutPanelProps) {
  const { t } = useTranslation("users");
  return (
    <Panel title={t("detail.about")}>
      <dl className="grid gap-4 text-sm sm:grid-cols-2">
        <Fact term={t("email")}>
          <EmailText>{user.email}</EmailText>
        </Fact>
        <Fact term={t("created")}>
          <DetailTime date={user.createdAt} now={now} />
        </Fact>
        <Fact term={t("detail.onboardedOn")}>
          {user.onboardedAt ? <DetailTime date={user.onboardedAt} now={now} /> : t("detail.notYet")}
        </Fact>
        <Fact term={t("lastSeen")}>
          {user.lastSeenAt ? <DetailTime date={user.lastSeenAt} now={now} /> : t("never")}
        </Fact>
      </dl>
    </Panel>
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

export type UserSession = {
  id: string;
  device: { browser: string; system: string } | undefined;
  place: string | null;
  ipAddress: string | null;
  /** True when a manager uses this session to impersonate the user. */
  isImpersonated: boolean;
  createdAt: Date;
  lastSeenAt: Date | null;
};

type SessionsPanelProps = { sessions: UserSession[]; now: Date };

/** The user's sessions, and buttons that revoke them. */
export function SessionsPanel({ sessions, now }: SessionsPanelProps) {
  const { t } = useTranslation("users");
  return (
    <Panel title={t("detail.sessions")}>
      {sessions.length === 0 ? (
        <Empty>{t("detail.noSessions")}</Empty>
      ) : (
        <ul className="grid gap-3">
          {sessions.map((session) => (
            <li key={session.id} className="flex items-center justify-between gap-3 text-sm">
              <div className="grid gap-1">
                <span>
                  {session.device ? t("detail.device", session.device) : t("detail.unknownDevice")}
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
      )}
      {sessions.length > 1 && (
        <Form method="post">
          <Button variant="secondary" name="intent" value="revoke-all">
            {t("detail.revokeAll")}
          </Button>
        </Form>
      )}
    </Panel>
  );
}

export type UserOrganization = { id: string; name: string; role: string };

type AccountsPanelProps = {
  /** Undefined when the manager may not see them. */
  methods: SignInMethods | undefined;
  organizations: UserOrganization[];
  now: Date;
};

/** The accounts at providers that are linked to the user, and the user's organizations. */
export function AccountsPanel({ methods, organizations, now }: AccountsPanelProps) {
  const { t } = useTranslation("users");
  return (
    <Panel title={t("detail.accounts")}>
      {methods?.accounts.length === 0 && <Empty>{t("detail.noAccounts")}</Empty>}
      {methods && methods.accounts.length > 0 && (
        <ul className="grid gap-2 text-sm">
          {methods.accounts.map(({ name: provider, createdAt }) => (
            <li key={provider} className="flex justify-between gap-3">
              <bdi>{provider}</bdi>
              <RelativeTime date={createdAt} now={now} />
            </li>
          ))}
        </ul>
      )}
      <h3 className="pt-2 text-sm font-medium">{t("detail.organizations")}</h3>
      {organizations.length === 0 ? (
        <Empty>{t("detail.noOrganizations")}</Empty>
      ) : (
        <ul className="grid gap-2 text-sm">
          {organizations.map((organization) => (
            <li key={organization.id}>
              <Link
                to={href("/manager/organizations/:id", { id: organization.id })}
                className="inline-flex min-h-11 items-center text-accent-ink underline underline-offset-4"
              >
                <bdi>{organization.name}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

export type UserEvent = { id: string; action: string; createdAt: Date };

type ActivityPanelProps = { userId: string; activity: UserEvent[]; now: Date };

/** The user's last audit events, and links to all of them. */
export function ActivityPanel({ userId, activity, now }: ActivityPanelProps) {
  const { t } = useTranslation("users");
  const { t: eventName } = useTranslation("events");
  return (
    <Panel title={t("detail.activity")}>
      {activity.length === 0 ? (
        <Empty>{t("detail.noActivity")}</Empty>
      ) : (
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
      )}
      <p className="flex flex-wrap gap-x-6 text-sm">
        {(["on", "by"] as const).map((side) => (
          <Link
            key={side}
            to={`${href("/manager/audit")}?${side === "on" ? "target" : "actor"}=${userId}`}
            className="inline-flex min-h-11 items-center text-accent-ink underline underline-offset-4"
          >
            {t(`history.${side}`)}
          </Link>
        ))}
      </p>
    </Panel>
  );
}

/** Says that a list has no items. */
function Empty({ children }: { children: ReactNode }) {
  return <p className="text-sm text-muted">{children}</p>;
}
