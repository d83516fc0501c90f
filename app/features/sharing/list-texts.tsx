import { Form, href } from "react-router";
import type { PanelProps } from "../../feature.ui.ts";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import { roleCan } from "../access/organization-permissions.ts";

/** Says above the list of repositories which organization is active, with a button that shows all repositories. */
export function SharedInto({ subject: { organization } }: PanelProps<"repositories:list">) {
  const { t } = useTranslation("repositories");
  return (
    <Form
      method="post"
      action={href("/app/active-organization")}
      className="-mt-2 flex flex-wrap items-center gap-x-2 text-sm text-muted"
    >
      <input type="hidden" name="intent" value="organization" />
      <input type="hidden" name="organization" value="" />
      <input type="hidden" name="back" value={href("/app/repositories")} />
      {t("active.of", { name: isolate(organization) })}
      <button type="submit" className="min-h-11 text-accent-ink underline underline-offset-4">
        {t("active.showAll")}
      </button>
    </Form>
  );
}

/**
 * Tells why the list is empty. Members who may share a repository get a link to where it is done.
 */
export function NoneSharedInto({
  subject: { organization, slug, role },
}: PanelProps<"repositories:noneInList">) {
  const { t } = useTranslation("repositories");
  const name = isolate(organization);
  if (!roleCan(role, "repository", "create")) return t("active.none", { name });
  return (
    <span className="grid justify-items-center gap-4">
      {t("active.mayShare", { name })}
      <ButtonLink to={`${href("/app/organizations/:slug/repositories", { slug })}?share`}>
        {t("active.share")}
      </ButtonLink>
    </span>
  );
}
