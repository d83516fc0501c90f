import { Form, href, Link } from "react-router";
import { useTranslation } from "../../ui/text/translation.tsx";

/** What may be missing in an account. A browser without JavaScript cannot make a passkey. */
const STEPS = {
  picture: { path: href("/app/account/picture"), className: "" },
  passkey: {
    path: `${href("/app/account")}?state=add-passkey`,
    className: "[@media(scripting:none)]:hidden",
  },
} as const;

export type SetupStep = keyof typeof STEPS;

/** One quiet line with what is missing in the account, until the user hides it. */
export function SetupLine({ steps }: { steps: SetupStep[] }) {
  const { t } = useTranslation("app");
  return (
    <Form
      method="post"
      replace
      className="flex flex-wrap items-center gap-x-4 text-sm text-muted *:min-h-control"
    >
      {steps.map((step) => (
        <Link
          key={step}
          to={STEPS[step].path}
          className={`inline-flex items-center text-accent-ink underline-offset-4 hover:underline ${STEPS[step].className}`}
        >
          {t(`home.setup.${step}`)}
        </Link>
      ))}
      <button
        type="submit"
        name="intent"
        value="dismiss-setup"
        className="underline-offset-4 hover:text-ink hover:underline"
      >
        {t("home.setup.dismiss")}
      </button>
    </Form>
  );
}
