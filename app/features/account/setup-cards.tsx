import { Form, href } from "react-router";
import { StepCard } from "../../ui/layout/step-card.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";

/** What may be missing in an account. A browser without JavaScript cannot make a passkey. */
const STEPS = {
  picture: { path: href("/app/account/picture"), picture: "photo", needsScript: false },
  passkey: {
    path: `${href("/app/account")}?state=add-passkey`,
    picture: "passkey",
    needsScript: true,
  },
} as const;

export type SetupStep = keyof typeof STEPS;

export function SetupCards({ steps }: { steps: SetupStep[] }) {
  const { t } = useTranslation("app");
  return steps.map((step) => (
    <StepCard
      key={step}
      to={STEPS[step].path}
      picture={STEPS[step].picture}
      title={t(`home.setup.${step}`)}
      needsScript={STEPS[step].needsScript}
    >
      {t(`home.setup.${step}Text`)}
    </StepCard>
  ));
}

/** Hides these cards in this browser. */
export function DismissSetup() {
  const { t } = useTranslation("app");
  return (
    <Form method="post" replace className="text-sm">
      <button
        type="submit"
        name="intent"
        value="dismiss-setup"
        className="inline-flex min-h-control items-center text-muted underline-offset-4 hover:text-ink hover:underline"
      >
        {t("home.setup.dismiss")}
      </button>
    </Form>
  );
}
