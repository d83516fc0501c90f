import { type ReactNode, useMemo, useState } from "react";
import { Form, href, useNavigation } from "react-router";
import { useServerAnswer } from "../../../server-functions/use-server-answer.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { TextField } from "../../../ui/forms/field.tsx";
import { FormErrors } from "../../../ui/forms/form-errors.tsx";
import { useFirstErrorFocus } from "../../../ui/forms/use-first-error-focus.ts";
import { useArrivalFocus } from "../../../ui/layout/use-arrival-focus.ts";
import { isolateLtr } from "../../../ui/text/isolate.ts";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { NAME_MAX_LENGTH } from "../../../values/limits.ts";
import { SlugField } from "../slug-field.tsx";

type OrganizationFormProps = {
  values: { name?: string; slug?: string };
  result: { errors: Record<string, string[]> } | undefined;
  submitLabel: string;
  /** Id of the edited organization; its own slug counts as free. Without it a slug is proposed for the name. */
  organizationId?: string;
  /** Hidden fields, and elements beside the button. */
  children?: ReactNode;
};

/** Name and slug of a new or existing organization. */
export function OrganizationForm(props: OrganizationFormProps) {
  const { values, result, submitLabel, organizationId, children } = props;
  const { t } = useTranslation("organizations");
  const isBusy = useNavigation().formMethod === "POST";
  const form = useFirstErrorFocus(result);
  useArrivalFocus(organizationId ? undefined : form);
  const [name, setName] = useState(values.name ?? "");
  /** What was typed; undefined as long as the proposal counts. */
  const [typed, setTyped] = useState(values.slug || undefined);
  const answer = useSlug(name, typed, values.slug ?? "", organizationId);
  // The last proposal stays in the field until the next one has come.
  const [proposal, setProposal] = useState("");
  if (answer && typed === undefined && answer.slug !== proposal) setProposal(answer.slug);
  const slug = typed ?? proposal;
  const liveErrors = answer?.error === undefined ? undefined : [answer.error];
  const pathHint = t("slugHint", { path: isolateLtr(pathOf(slug)) });
  const slugHint = organizationId ? pathHint : `${t("slugOptional")} ${pathHint}`;
  const slugRule = organizationId ? t("slugRule") : `${t("slugProposed")} ${t("slugRule")}`;
  return (
    <Form ref={form} method="post" noValidate className="grid gap-6">
      <FormErrors errors={result?.errors[""]} />
      <TextField
        name="name"
        label={t("name")}
        hint={t("nameHint")}
        dir="auto"
        autoComplete="organization"
        maxLength={NAME_MAX_LENGTH}
        defaultValue={values.name}
        onChange={(event) => setName(event.currentTarget.value)}
        errors={result?.errors.name}
        required
      />
      <SlugField
        label={t("slug")}
        hint={slugHint}
        rule={slugRule}
        liveNote={answer?.isFree ? t("slugFree") : null}
        value={slug}
        onType={(value) => setTyped(value || undefined)}
        errors={answer === undefined ? result?.errors.slug : liveErrors}
      />
      <div className="flex flex-wrap gap-3">
        <Button isBusy={isBusy} name="intent" value="save">
          {submitLabel}
        </Button>
        {children}
      </div>
    </Form>
  );
}

/** Returns the path of an organization's pages; an ellipsis stands for a slug that is not chosen yet. */
function pathOf(slug: string): string {
  return href("/app/organizations/:slug", { slug: slug || "…" });
}

/** Returns a proposed slug, or whether the typed one is free; undefined while there is no answer. */
function useSlug(
  name: string,
  typed: string | undefined,
  original: string,
  exceptId: string | undefined,
) {
  const isProposed = typed === undefined && exceptId === undefined && name.trim() !== "";
  const isAsked = typed !== undefined && typed !== original;
  const payload = useMemo(() => {
    if (isProposed) return { name, exceptId };
    return isAsked ? { slug: typed, exceptId } : undefined;
  }, [isProposed, isAsked, name, typed, exceptId]);
  return useServerAnswer("organization-slug", payload);
}
