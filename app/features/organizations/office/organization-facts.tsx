import { panelClass } from "../../../ui/layout/panel.tsx";
import { Fact, IdFact, ShortFacts } from "../../../ui/text/fact.tsx";
import { DetailTime } from "../../../ui/text/relative-time.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { OrganizationLogo } from "../organization-logo.tsx";
import type { OrganizationState } from "./list-options.ts";
import { StateBadge } from "./state-badge.tsx";

type OrganizationFactsProps = {
  organization: {
    id: string;
    name: string;
    slug: string;
    logo: string | null;
    state: OrganizationState;
    disabledAt: Date | null;
    createdAt: Date;
    lastActivityAt: Date | null;
  };
  now: Date;
};

/** Logo, state and properties of an organization. */
export function OrganizationFacts({ organization, now }: OrganizationFactsProps) {
  const { t } = useTranslation("manager-organizations");
  const { id, name, slug, logo, state, disabledAt, createdAt, lastActivityAt } = organization;
  return (
    <section aria-label={t("facts.title")} className={`grid min-w-0 gap-6 ${panelClass}`}>
      <div className="flex items-center gap-4">
        <OrganizationLogo id={id} name={name} logo={logo} size="lg" />
        <div className="flex flex-wrap gap-2">
          <StateBadge state={state} />
          {state === "deletion" && disabledAt && <StateBadge state="disabled" />}
        </div>
      </div>
      <ShortFacts>
        <IdFact id={id} />
        <Fact term={t("slug")}>
          <bdi dir="ltr" className="w-fit wrap-anywhere">
            {slug}
          </bdi>
        </Fact>
        <Fact term={t("created")}>
          <DetailTime date={createdAt} now={now} />
        </Fact>
        {lastActivityAt && (
          <Fact term={t("activity")}>
            <DetailTime date={lastActivityAt} now={now} />
          </Fact>
        )}
      </ShortFacts>
    </section>
  );
}
