import { href, Link, useNavigation } from "react-router";
import { aroundValues } from "../../ui/around-values.ts";
import { ConfirmDrawer } from "../../ui/confirm-drawer.tsx";
import { FormErrors } from "../../ui/form-errors.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { useDeletionConsequences } from "./deletion-consequences.ts";
import { GRACE_DAYS } from "./grace.ts";

type DeletionPanelProps = {
  errors: string[] | undefined;
  /** Organizations of which the user is the only owner, and which have other members. */
  soleOwned: { name: string; slug: string }[];
};

/** "Delete account": says what is deleted and how long it can be cancelled, before it asks for a code. */
export function DeletionPanel({ errors, soleOwned }: DeletionPanelProps) {
  const { t } = useTranslation("account");
  const isBusy = useNavigation().formData?.get("intent") === "request-deletion";
  // The list of organizations says the same as this refusal, and where to go.
  const isListed = soleOwned.length > 0 && errors?.[0] === "codes:SOLE_OWNER";
  return (
    <Panel title={t("deletion.title")} intro={t("deletion.intro", { count: GRACE_DAYS })}>
      {!isListed && <FormErrors errors={errors} />}
      {soleOwned.length > 0 && (
        // A new element for the refusal, so that a screen reader reads it.
        <Notice key={isListed ? "refused" : "told"} kind={isListed ? "error" : "info"}>
          <HandOver soleOwned={soleOwned} />
        </Notice>
      )}
      <div>
        <ConfirmDrawer
          // A refusal is shown in the panel. The new key makes the drawer a new, closed one.
          key={errors?.[0]}
          intent="request-deletion"
          text={useDeletionConsequences().join(" ")}
          isBusy={isBusy}
          isDestructive
          icon="trash-2"
          // Red only where it can work.
          triggerVariant={soleOwned.length > 0 ? "secondary" : "danger"}
          trigger={t("deletion.title")}
        />
      </div>
    </Panel>
  );
}

/** What to do about the organizations before the account can be deleted. One stands in the sentence, several below it. */
function HandOver({ soleOwned }: Pick<DeletionPanelProps, "soleOwned">) {
  const { t } = useTranslation("account");
  const count = soleOwned.length;
  const [before, after] = aroundValues((name) => t("deletion.handOver", { count, name }));
  const links = soleOwned.map(({ name, slug }) => (
    <Link
      key={slug}
      to={href("/app/organizations/:slug/members", { slug })}
      dir="auto"
      className="font-medium text-accent-ink underline"
    >
      {name}
    </Link>
  ));
  if (count === 1) {
    return (
      <p>
        {before}
        {links}
        {after}
      </p>
    );
  }
  return (
    <>
      <p>{before}</p>
      <ul className="mt-2 grid gap-1">
        {links.map((link) => (
          <li key={link.key}>{link}</li>
        ))}
      </ul>
    </>
  );
}
