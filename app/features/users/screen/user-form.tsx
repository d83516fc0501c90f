import { type ReactNode, useMemo, useState } from "react";
import { useServerAnswer } from "../../../server-functions/use-server-answer.ts";
import { EmailField, TextField } from "../../../ui/forms/field.tsx";
import { RecordForm } from "../../../ui/forms/record-form.tsx";
import { Message, type MessageReference } from "../../../ui/text/message.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from "../../../values/limits.ts";
import { RoleField } from "./role-field.tsx";

type UserFormProps = {
  /** `role` is the list of the checked roles. */
  values: { name?: string; email?: string; role?: string };
  result: { errors: Record<string, string[]> } | undefined;
  submitLabel: string;
  /** Id of the edited user; their own e-mail counts as free. */
  userId?: string;
  /** The reason why a field cannot be changed, by field. */
  fixed?: { email?: MessageReference; role?: MessageReference };
  /** Hidden fields, and elements beside the button. */
  children?: ReactNode;
};

/** Form fields of a new or existing user. */
export function UserForm(props: UserFormProps) {
  const { values, result, submitLabel, userId, fixed = {}, children } = props;
  const { t } = useTranslation("users");
  const [email, setEmail] = useState(values.email ?? "");
  const isFree = useEmailAvailability(email, values.email ?? "", userId);
  // The live check of the typed e-mail replaces the server's error, which was about an earlier e-mail.
  const liveErrors = isFree ? undefined : ["validation:email.taken"];
  const [usualHint, freeHint] = userId
    ? (["users:newEmailHint", "users:emailFree"] as const)
    : (["users:emailHint", "users:emailFreeForNew"] as const);
  const emailHint = isFree ? freeHint : usualHint;
  return (
    <RecordForm result={result} submitLabel={submitLabel} beside={children}>
      <TextField
        name="name"
        label={t("name")}
        dir="auto"
        autoComplete="off"
        maxLength={NAME_MAX_LENGTH}
        defaultValue={values.name}
        errors={result?.errors.name}
        required
      />
      <EmailField
        name="email"
        label={t("email")}
        hint={<Message value={fixed.email ?? emailHint} />}
        readOnly={fixed.email !== undefined}
        maxLength={EMAIL_MAX_LENGTH}
        defaultValue={values.email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        errors={isFree === undefined ? result?.errors.email : liveErrors}
        required
      />
      <RoleField
        roles={values.role?.split(",") ?? []}
        errors={result?.errors.role}
        fixed={fixed.role}
      />
    </RecordForm>
  );
}

/** Returns true when the typed e-mail is free; undefined while the answer is pending or the e-mail is unchanged. */
function useEmailAvailability(
  email: string,
  original: string,
  exceptId: string | undefined,
): boolean | undefined {
  const typed = email.trim().toLowerCase();
  const isChanged = typed.includes("@") && typed !== original.trim().toLowerCase();
  const payload = useMemo(
    () => (isChanged ? { email: typed, exceptId } : undefined),
    [isChanged, typed, exceptId],
  );
  return useServerAnswer("email-availability", payload)?.isAvailable;
}
