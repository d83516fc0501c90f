import { Form, href, useNavigation } from "react-router";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button, ButtonLink } from "../../ui/forms/button.tsx";
import { FormErrors } from "../../ui/forms/form-errors.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { aroundValues } from "../../ui/text/around-values.ts";
import { Icon } from "../../ui/text/icon.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import { GRACE_DAYS } from "./grace.ts";

type SoleOwned = { name: string; slug: string };

type DeletionPanelProps = {
  /**
   * URL that the button posts to. Its fragment brings a refusal into view, without JavaScript too.
   */
  action: string;
  result: { errors: Record<string, string[]> } | undefined;
  /** Organizations of which the user is the only owner, and which have other members. */
  soleOwned: SoleOwned[];
};

/** "Delete account": sends a code and leads to the screen that lists what is deleted. */
export function DeletionPanel({ action, result, soleOwned }: DeletionPanelProps) {
  const { t } = useTranslation("account");
  const errors = result?.errors.deletion;
  const isBusy = useNavigation().formData?.get("intent") === "request-deletion";
  // The server would refuse it, so the reason takes the place of the button.
  const isBlocked = soleOwned.length > 0;
  // The list of organizations says the same as this refusal, and where to go.
  const isListed = isBlocked && errors?.[0] === "codes:SOLE_OWNER";
  return (
    <Panel
      title={t("deletion.title")}
      intro={!isBlocked && t("deletion.intro", { count: GRACE_DAYS })}
    >
      {!isListed && <FormErrors errors={errors} />}
      {isBlocked && (
        <Notice kind={isListed ? "error" : "info"}>
          {isListed && <p className="font-semibold">{t("deletion.refused")}</p>}
          <HandOver soleOwned={soleOwned} />
        </Notice>
      )}
      {!isBlocked && (
        <Form method="post" action={action}>
          <Button variant="danger" isSmall name="intent" value="request-deletion" isBusy={isBusy}>
            <Icon name="trash-2" className="size-4" />
            {t("deletion.title")}
          </Button>
        </Form>
      )}
    </Panel>
  );
}

/**
 * What to do about the organizations before the account can be deleted. One stands in the sentence,
 * several below it.
 */
function HandOver({ soleOwned }: Pick<DeletionPanelProps, "soleOwned">) {
  const { t } = useTranslation("account");
  const count = soleOwned.length;
  const [before, after] = aroundValues((name) => t("deletion.handOver", { count, name }));
  const [only] = soleOwned;
  return (
    <>
      <p>
        {before}
        {count === 1 && <bdi className="font-medium">{only?.name}</bdi>}
        {after}
      </p>
      <ul className="grid gap-3 pt-2">
        {soleOwned.map((organization) => (
          <li
            key={organization.slug}
            className="flex flex-wrap items-center gap-3 max-sm:[&>a]:grow"
          >
            {count > 1 && (
              <bdi className="min-w-0 font-medium wrap-anywhere">{organization.name}</bdi>
            )}
            <Remedies organization={organization} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Links to where another member becomes an owner, and to where the organization is deleted. */
function Remedies({ organization: { name, slug } }: { organization: SoleOwned }) {
  const { t } = useTranslation("account");
  const common = useTranslation().t;
  const links = [
    [href("/app/organizations/:slug/members", { slug }), t("deletion.chooseOwner"), ""],
    [
      href("/app/organizations/:slug/settings", { slug }),
      t("deletion.deleteOrganization"),
      "text-danger",
    ],
  ] as const;
  return links.map(([to, label, className]) => (
    <ButtonLink
      key={to}
      to={to}
      aria-label={common("labelled", { label, value: isolate(name) })}
      variant="secondary"
      className={className}
      isSmall
    >
      {label}
    </ButtonLink>
  ));
}
