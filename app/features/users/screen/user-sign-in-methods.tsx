import { Form } from "react-router";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { IntentButton } from "../../../ui/forms/intent-button.tsx";
import { ConfirmDrawer } from "../../../ui/overlays/confirm-drawer.tsx";
import { EmailText } from "../../../ui/text/email-text.tsx";
import { Formatted } from "../../../ui/text/formatted.tsx";
import { isolate } from "../../../ui/text/isolate.ts";
import { Labelled } from "../../../ui/text/labelled.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { useFormat } from "../../../ui/text/use-format.ts";
import { WithOwnText } from "../../../ui/text/with-own-text.tsx";
import { useCan } from "../../access/use-can.tsx";
import { type ManagerAct, ManagerActLine } from "../../audit/manager-act.tsx";
import type { User } from "../list/user-queries.server.ts";

type LinkedAccount = {
  id: string;
  name: string;
  /** Null for an account that was linked before its e-mail was kept. */
  email: string | null;
};

export type SignInMethods = {
  accounts: LinkedAccount[];
  passkeys: { id: string; name: string | null }[];
  /**
   * There while the methods are older than a manager's change of the e-mail, and it is not decided
   * what becomes of them.
   */
  question: MethodsQuestion | undefined;
};

/** The e-mail change that is asked about. */
type MethodsQuestion = {
  /** Id of the change's audit event. */
  id: string;
  /** Undefined when the manager may not read the audit log. */
  act: ManagerAct | undefined;
};

type SignInMethodsNoticeProps = {
  title: string;
  email: string;
  methods: SignInMethods;
  question: MethodsQuestion;
  now: Date;
};

/** Lists the sign-in methods that still work after a manager changed the e-mail, and offers to remove or keep them. */
export function SignInMethodsNotice(props: SignInMethodsNoticeProps) {
  const { title, email, question, now } = props;
  const { accounts, passkeys } = props.methods;
  const { t } = useTranslation("users");
  const can = useCan();
  return (
    <Notice
      kind="warning"
      action={
        can("user", "update") && (
          <div className="flex flex-wrap gap-2">
            <ConfirmDrawer
              intent="remove-methods"
              needsProof
              text={t("methods.removeText", { name: isolate(title), email: isolate(email) })}
              icon="trash-2"
              trigger={t("methods.remove", { count: accounts.length + passkeys.length })}
            />
            <Form method="post">
              <input type="hidden" name="intent" value="keep-methods" />
              <Button variant="quiet" isSmall name="question" value={question.id}>
                {t("methods.keep")}
              </Button>
            </Form>
          </div>
        )
      }
    >
      <div className="grid gap-3">
        <div className="grid gap-1">
          {question.act ? (
            <ManagerActLine
              act={question.act}
              text={(name) => t("methods.changedBy", { name })}
              unnamed={t("methods.changed")}
              now={now}
              className="font-semibold text-ink"
            />
          ) : (
            <p className="font-semibold">{t("methods.changed")}</p>
          )}
          <p>{t("methods.text")}</p>
        </div>
        {/* The dot of Arabic fonts is twice as large. */}
        <ul className="grid list-disc gap-1 ps-5 rtl:marker:text-[0.5em]">
          {passkeys.map(({ id, name }) => (
            <li key={id}>
              <PasskeyName name={name} />
            </li>
          ))}
          {accounts.map((account) => (
            <li key={account.id}>
              <Labelled label={t("methods.account")}>
                <AccountName {...account} />
              </Labelled>
            </li>
          ))}
        </ul>
      </div>
    </Notice>
  );
}

/** Names a linked account by its provider and its e-mail, which has its own line where both do not fit on one. */
export function AccountName({ name, email }: LinkedAccount) {
  return (
    <span className="inline-flex flex-wrap gap-x-1 align-top">
      <bdi>{name}</bdi> {email && <EmailText className="text-muted">{email}</EmailText>}
    </span>
  );
}

/** Says that a sign-in method is a passkey, with the name that the user gave it. */
export function PasskeyName({ name }: { name: string | null }) {
  const { t } = useTranslation("users");
  if (!name) return t("methods.passkey");
  return (
    <Labelled label={t("methods.passkey")}>
      <bdi>{name}</bdi>
    </Labelled>
  );
}

type PasskeyReleaseNoticeProps = { title: string; until: Date | null };

/** Says that a manager can no longer add the required passkey, and lets them for a limited time. */
export function PasskeyReleaseNotice({ title, until }: PasskeyReleaseNoticeProps) {
  const { t } = useTranslation("users");
  const format = useFormat();
  const can = useCan();
  if (until) {
    return (
      <Notice kind="info">
        <p suppressHydrationWarning>
          <Formatted>{t("passkeyRelease.until", { date: format.longMoment(until) })}</Formatted>
        </p>
      </Notice>
    );
  }
  return (
    <Notice
      kind="warning"
      action={
        can("user", "set-role") && (
          <ConfirmDrawer
            intent="release-passkey"
            needsProof
            text={
              <WithOwnText text={(name) => t("passkeyRelease.question", { name })} value={title} />
            }
            icon="fingerprint-pattern"
            trigger={t("passkeyRelease.allow")}
          />
        )
      }
    >
      <p>{t("passkeyRelease.text")}</p>
    </Notice>
  );
}

/** Says that a user has never signed in, and offers to send the invitation, or to send it again. */
export function InvitationNotice({ invitation }: { invitation: User["invitation"] }) {
  const { t } = useTranslation("users");
  const can = useCan();
  return (
    <Notice
      kind={invitation === "bounced" ? "warning" : "info"}
      action={
        can("mail", "retry") && (
          <IntentButton intent="invite">
            {t(invitation ? "invitation.again" : "invitation.send")}
          </IntentButton>
        )
      }
    >
      <p>{t("invitation.text")}</p>
      <p>{t(`invitation.${invitation ?? "none"}`)}</p>
    </Notice>
  );
}
