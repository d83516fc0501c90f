import { href } from "react-router";
import { isLanguage, LANGUAGE_NAMES } from "../../../i18n/languages.ts";
import { CopyIcon } from "../../../ui/forms/copy-button.tsx";
import { panelClass } from "../../../ui/layout/panel.tsx";
import { Avatar } from "../../../ui/text/avatar.tsx";
import { EmailText } from "../../../ui/text/email-text.tsx";
import { Fact, IdFact, ShortFacts } from "../../../ui/text/fact.tsx";
import { Icon } from "../../../ui/text/icon.tsx";
import { ActiveTime, DetailTime } from "../../../ui/text/relative-time.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { You } from "../../../ui/text/you.tsx";
import type { Role } from "../../access/role-names.ts";
import { PermittedLink } from "../../access/use-can.tsx";
import type { ShownStatus } from "../list/user-queries.server.ts";
import { RoleBadges, StatusBadge } from "./badges.tsx";
import { type MailboxRefusal, RefusalBadge, refusesMail } from "./mailbox-refusal.tsx";
import { AccountName, PasskeyName, type SignInMethods } from "./user-sign-in-methods.tsx";

export type UserFactsProps = {
  user: {
    id: string;
    name: string;
    email: string;
    emailVerified: boolean;
    language: string | null;
    avatar: string | null;
    invitation: "queued" | "bounced" | null;
    roles: Role[];
    status: ShownStatus;
    createdAt: Date;
    lastSeenAt: Date | null;
    onboardedAt: Date | null;
    banReason: string | null;
    banExpires: Date | null;
    deletionDueAt: Date | null;
  };
  /** Undefined when the manager may not see them. */
  methods?: SignInMethods;
  organizations: { id: string; name: string }[];
  /** Undefined while the user's mailbox takes mail. */
  refusal?: MailboxRefusal;
  isSelf: boolean;
  now: Date;
};

/** Picture, state, e-mail and properties of a user. */
export function UserFacts(props: UserFactsProps) {
  const { user, methods, organizations, refusal, isSelf, now } = props;
  const { t } = useTranslation("users");
  const { id, name, email, avatar, roles, status, language } = user;
  return (
    <section
      aria-label={t("detail.about")}
      className={`grid min-w-0 gap-6 max-sm:gap-4 ${panelClass}`}
    >
      <div className="grid grid-cols-1 gap-3 text-sm">
        <div className="flex items-center gap-4">
          <Avatar name={name} email={email} avatar={avatar} size="lg" />
          <div className="flex min-w-0 flex-wrap items-center gap-2">
            <RoleBadges roles={roles} />
            <StatusBadge status={status} />
            {isSelf && <You />}
          </div>
        </div>
        <div className="grid gap-1">
          <span className="flex items-center gap-1">
            {/* Its lines are of like length, so that it breaks after "@" rather than before the last word. */}
            <span className="min-w-0 text-balance">
              <EmailText>{email}</EmailText>
            </span>
            <CopyIcon text={email} label={t("detail.copyEmail")} />
          </span>
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {refusal && <RefusalBadge refusal={refusal} />}
            {!(user.emailVerified && refusesMail(refusal)) && (
              <Verified isVerified={user.emailVerified} />
            )}
          </span>
        </div>
      </div>
      <ShortFacts>
        <IdFact id={id} />
        {isLanguage(language) && (
          <Fact term={t("detail.language")}>
            <span lang={language}>{LANGUAGE_NAMES[language]}</span>
          </Fact>
        )}
        <Fact term={t("created")}>
          <DetailTime date={user.createdAt} now={now} />
        </Fact>
        <TimeFact
          term={t("detail.onboardedOn")}
          date={user.onboardedAt}
          none={t("detail.notYet")}
          now={now}
        />
        <Fact term={t("lastSeen")}>
          {user.lastSeenAt ? (
            <span className="first-letter:uppercase">
              <ActiveTime date={user.lastSeenAt} now={now} lastHour={t("seenLastHour")} />
            </span>
          ) : (
            <span className="text-muted">{t("never")}</span>
          )}
        </Fact>
        {methods && (
          <Fact term={t("detail.methods")}>
            <Methods {...methods} />
          </Fact>
        )}
        <Fact term={t("detail.organizations")}>
          {organizations.length === 0 && (
            <span className="text-muted">{t("detail.noOrganizations")}</span>
          )}
          {organizations.map((organization) => (
            <PermittedLink
              key={organization.id}
              permission={["organization", "read"]}
              to={href("/manager/organizations/:id", { id: organization.id })}
              className="flex min-h-6 w-fit items-center text-accent-ink underline-offset-4 hover:underline"
            >
              <bdi>{organization.name}</bdi>
            </PermittedLink>
          ))}
        </Fact>
      </ShortFacts>
    </section>
  );
}

type TimeFactProps = { term: string; date: Date | null; none: string; now: Date };

/** A time, or what stands in its place before there is one. */
function TimeFact({ term, date, none, now }: TimeFactProps) {
  return (
    <Fact term={term}>
      {date ? <DetailTime date={date} now={now} /> : <span className="text-muted">{none}</span>}
    </Fact>
  );
}

function Verified({ isVerified }: { isVerified: boolean }) {
  const { t } = useTranslation("users");
  if (!isVerified) return <span className="text-xs text-warning">{t("detail.unverified")}</span>;
  return (
    <span className="flex items-center gap-1 text-xs text-success">
      <Icon name="circle-check" className="size-3.5" />
      {t("detail.verified")}
    </span>
  );
}

function Methods({ accounts, passkeys }: SignInMethods) {
  const { t } = useTranslation("users");
  return (
    <ul className="grid gap-1">
      <li>{t("detail.emailCode")}</li>
      {accounts.map((account) => (
        <li key={account.id}>
          <AccountName {...account} />
        </li>
      ))}
      {passkeys.map(({ id, name }) => (
        <li key={id}>
          <PasskeyName name={name} />
        </li>
      ))}
    </ul>
  );
}
