import { type ReactNode, useMemo, useState } from "react";
import { useServerAnswer } from "../../server-functions/use-server-answer.ts";
import { Field, TextField } from "../../ui/forms/field.tsx";
import { RecordForm } from "../../ui/forms/record-form.tsx";
import { Message } from "../../ui/text/message.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { REPOSITORY_FUNCTIONS } from "./name-function.server.ts";
import {
  DESCRIPTION_MAX_LENGTH,
  LINK_MAX_LENGTH,
  REPOSITORY_NAME_MAX_LENGTH,
} from "./repository-limits.ts";

type RepositoryFormProps = {
  values: { name?: string; link?: string; description?: string | null };
  result: { errors: Record<string, string[]> } | undefined;
  submitLabel: string;
  /** Id of the edited repository; its own name counts as free. */
  repositoryId?: string;
  /** Hidden fields, and elements beside the button. */
  children?: ReactNode;
};

/** Form fields of a new or existing repository. */
export function RepositoryForm({
  values,
  result,
  submitLabel,
  repositoryId,
  children,
}: RepositoryFormProps) {
  const { t } = useTranslation("repositories");
  const [name, setName] = useState(values.name ?? "");
  const isFree = useNameAvailability(name, values.name ?? "", repositoryId);
  // The live check of the typed name replaces the server's error, which was about an earlier name.
  const liveErrors = isFree ? undefined : ["validation:name.taken"];
  const nameErrors = isFree === undefined ? result?.errors.name : liveErrors;
  return (
    <RecordForm result={result} submitLabel={submitLabel} beside={children}>
      <TextField
        name="name"
        label={t("name")}
        hint={isFree ? <Message value="repositories:available" /> : t("nameHint")}
        dir="auto"
        maxLength={REPOSITORY_NAME_MAX_LENGTH}
        defaultValue={values.name}
        onChange={(event) => setName(event.currentTarget.value)}
        errors={nameErrors}
        required
      />
      <TextField
        name="link"
        label={t("link")}
        hint={t("linkHint")}
        dir="ltr"
        inputMode="url"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={LINK_MAX_LENGTH}
        defaultValue={values.link}
        errors={result?.errors.link}
        required
      />
      <Field
        name="description"
        label={t("description")}
        hint={t("descriptionHint")}
        errors={result?.errors.description}
      >
        {(control) => (
          <textarea
            {...control}
            dir="auto"
            rows={5}
            maxLength={DESCRIPTION_MAX_LENGTH}
            defaultValue={values.description ?? ""}
            className="input"
          />
        )}
      </Field>
    </RecordForm>
  );
}

/** Returns true when the typed name is free; undefined while the answer is pending or the name is unchanged. */
function useNameAvailability(
  name: string,
  original: string,
  exceptId: string | undefined,
): boolean | undefined {
  const typed = name.trim();
  const isChanged = typed !== "" && typed !== original.trim();
  const payload = useMemo(
    () => (isChanged ? { name: typed, exceptId } : undefined),
    [isChanged, typed, exceptId],
  );
  return useServerAnswer<"repository-name-availability", typeof REPOSITORY_FUNCTIONS>(
    "repository-name-availability",
    payload,
  )?.isAvailable;
}
