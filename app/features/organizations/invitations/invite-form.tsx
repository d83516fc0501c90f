import { type ReactNode, useEffect, useRef } from "react";
import { Form } from "react-router";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { FormErrors } from "../../../ui/forms/form-errors.tsx";
import { ProofFirst } from "../../../ui/forms/proof.tsx";
import { useFirstErrorFocus } from "../../../ui/forms/use-first-error-focus.ts";
import { Panel } from "../../../ui/layout/panel.tsx";
import { useArrivalFocus } from "../../../ui/layout/use-arrival-focus.ts";
import { EmailText } from "../../../ui/text/email-text.tsx";
import { Labelled } from "../../../ui/text/labelled.tsx";
import { Message, type MessageReference } from "../../../ui/text/message.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import type { OrganizationRole } from "../../access/role-names.ts";
import { RoleChoice } from "../members/role-choice.tsx";
import { PartFormButtons } from "../part-form.tsx";

/** What became of each e-mail of the form. */
export type InviteReport =
  | { id: string; name: string; refusal: MessageReference | undefined }[]
  | undefined;

type InviteFormProps = {
  roles: readonly OrganizationRole[];
  result: { values: Record<string, string>; errors: Record<string, string[]> } | undefined;
  report: InviteReport;
  needsAccount: string[];
  opensAccounts: boolean;
  /** Fields of features. */
  children: ReactNode;
};

/** Invites one or several e-mails with a role. */
export function InviteForm(props: InviteFormProps) {
  const { roles, result, report, needsAccount, opensAccounts, children } = props;
  const { t } = useTranslation("organizations");
  const form = useFirstErrorFocus(result);
  useArrivalFocus(form);
  const values = result?.values ?? {};
  const refused = report?.filter(({ refusal }) => refusal) ?? [];
  const role = roles.find((name) => name === values.role) ?? "member";
  return (
    <Panel title={t("invite.title")}>
      {report && <Sent report={report} />}
      {!opensAccounts && (
        <Notice kind="warning">
          <p>{t("invite.needsAccount")}</p>
        </Notice>
      )}
      {opensAccounts && needsAccount.length > 0 && (
        <Notice kind="warning">
          <p>{t("invite.needsAccountSent")}</p>
          <EmailItems emails={needsAccount} />
        </Notice>
      )}
      {/* A new key after each answer fills in the e-mails that were refused. */}
      <Form
        ref={form}
        key={report?.map(({ name, refusal }) => `${name}${refusal}`).join()}
        method="post"
        noValidate
        className="grid items-start gap-x-8 gap-y-4 md:grid-cols-2"
      >
        <div className="empty:hidden md:col-span-2">
          <FormErrors errors={result?.errors[""] ?? result?.errors.role} />
          {/* An invitation of a member needs none. */}
          {roles.length > 1 && <ProofFirst />}
        </div>
        <div className="grid gap-4">
          <Field
            name="emails"
            label={t("invite.emails")}
            hint={t("invite.emailsHint")}
            errors={result?.errors.emails}
            error={refused.length > 0 ? <Refused items={refused} /> : undefined}
          >
            {(control) => (
              <textarea
                {...control}
                dir="ltr"
                rows={3}
                autoCapitalize="off"
                spellCheck={false}
                inputMode="email"
                defaultValue={values.emails}
                className="input"
              />
            )}
          </Field>
          {children}
        </div>
        <RoleChoice roles={roles} value={role} />
        <div className="md:col-span-2">
          <PartFormButtons intent="invite" label={t("invite.send")} />
        </div>
      </Form>
    </Panel>
  );
}

function Sent({ report }: { report: NonNullable<InviteReport> }) {
  const { t } = useTranslation("organizations");
  const notice = useRef<HTMLDivElement>(null);
  const sent = report.filter(({ refusal }) => !refusal);

  // Outside React: the focus, so that a screen reader reads the result next. A refused e-mail takes it to the field.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each report
  useEffect(() => notice.current?.focus(), [report]);

  if (sent.length === 0) return null;
  return (
    <div ref={notice} tabIndex={-1}>
      <Notice kind="success">
        <p className="font-semibold">{t("invite.sent", { count: sent.length })}</p>
        <EmailItems emails={sent.map(({ name }) => name)} />
      </Notice>
    </div>
  );
}

export function EmailItems({ emails }: { emails: string[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4">
      {emails.map((email) => (
        <li key={email}>
          <EmailText>{email}</EmailText>
        </li>
      ))}
    </ul>
  );
}

/** The e-mails that were refused, each with its reason on a line of its own. */
export function Refused({ items }: { items: NonNullable<InviteReport> }) {
  return items.map(({ id, name, refusal = "" }) => (
    <span key={id} className="block">
      <Labelled label={<EmailText>{name}</EmailText>}>
        <Message value={refusal} />
      </Labelled>
    </span>
  ));
}
