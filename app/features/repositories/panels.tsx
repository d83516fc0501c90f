import { href } from "react-router";
import type { FeaturePanels, PanelProps } from "../../feature.ui.ts";
import { StepCard } from "../../ui/layout/step-card.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { can } from "../access/permissions.ts";
import type { repositoriesServer } from "./feature.server.ts";
import type { repositories } from "./feature.ts";

/** Link to the repositories, or to the form of the first one. An organization has its own. */
function RepositoriesStep({ subject, shown: total }: PanelProps<"homeSteps", number>) {
  const { t } = useTranslation("app");
  const format = useFormat();
  if (subject.organization) return null;
  if (total > 0) {
    return (
      <StepCard to={href("/app/repositories")} picture="repositories" title={t("home.steps.see")}>
        <Formatted>
          {t("home.steps.seeText", { count: total, formatted: format.number(total) })}
        </Formatted>
      </StepCard>
    );
  }
  if (!can(subject.user, "repository", "create")) return null;
  return (
    <StepCard
      to={href("/manager/repositories/new")}
      picture="repositories"
      title={t("home.steps.add")}
    >
      {t("home.steps.addText")}
    </StepCard>
  );
}

export const repositoryPanels = {
  "repositories-step": RepositoriesStep,
} satisfies FeaturePanels<typeof repositories, typeof repositoriesServer>;
