import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from "../../http/limits.ts";
import { Button } from "../../ui/button.tsx";
import { Field, inputClass, TextField } from "../../ui/field.tsx";
import { FormErrors } from "../../ui/form-errors.tsx";
import { Message, type MessageReference } from "../../ui/message.tsx";
import { Select } from "../../ui/select.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { useArrivalFocus } from "../../ui/use-arrival-focus.ts";
import { useFirstErrorFocus } from "../../ui/use-first-error-focus.ts";

type UserFormProps = {
  values: { name?: string; email?: string; role?: string };
  result: { errors: Record<string, string[]> } | undefined;
  submitLabel: string;
  /** Why a field cannot be changed here, by field. */
  fixed?: { email?: MessageReference; role?: MessageReference };
  /** Hidden fields, and what stands beside the button. */
  children?: ReactNode;
};

/** The fields of a user, new or not. */
export function UserForm({ values, result, submitLabel, fixed = {}, children }: UserFormProps) {
  const { t } = useTranslation("users");
  const isBusy = useNavigation().formMethod === "POST";
  const form = useFirstErrorFocus(result);
  useArrivalFocus(form);
  return (
    <Form ref={form} method="post" noValidate className="grid max-w-xl gap-6">
      <FormErrors errors={result?.errors[""]} />
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
      <TextField
        name="email"
        label={t("email")}
        hint={fixed.email ? <Message value={fixed.email} /> : t("emailHint")}
        readOnly={fixed.email !== undefined}
        type="email"
        dir="ltr"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={EMAIL_MAX_LENGTH}
        defaultValue={values.email}
        errors={result?.errors.email}
        required
      />
      <Field
        name="role"
        label={t("role")}
        hint={fixed.role && <Message value={fixed.role} />}
        errors={result?.errors.role}
      >
        {(control) =>
          fixed.role ? (
            <>
              <input type="hidden" name="role" value={values.role} />
              <input
                id={control.id}
                aria-describedby={control["aria-describedby"]}
                className={inputClass}
                value={t(values.role === "admin" ? "roles.admin" : "roles.user")}
                disabled
                readOnly
              />
            </>
          ) : (
            <Select {...control} defaultValue={values.role ?? "user"}>
              <option value="user">{t("roles.user")}</option>
              <option value="admin">{t("roles.admin")}</option>
            </Select>
          )
        }
      </Field>
      <div className="flex flex-wrap gap-3">
        <Button isBusy={isBusy}>{submitLabel}</Button>
        {children}
      </div>
    </Form>
  );
}
