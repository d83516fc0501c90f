import { Form } from "react-router";
import { Button } from "../../ui/forms/button.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { DEMO_ACCOUNTS } from "./accounts.ts";

type DemoButtonsProps = {
  redirect: string | undefined;
  /** True until an account is chosen: the first button stands out. */
  isChoosing: boolean;
};

/** Buttons of a demonstration's login screen: each fills in the e-mail of a sample account. */
export function DemoButtons({ redirect, isChoosing }: DemoButtonsProps) {
  const { t } = useTranslation("login");
  const { user, manager } = DEMO_ACCOUNTS;
  return (
    // Two equal columns, or one where a label needs more than half of the line.
    <Form
      method="get"
      className="flex flex-wrap gap-3 *:min-w-fit *:grow *:basis-[calc(50%-0.375rem)]"
      replace
    >
      {redirect && <input type="hidden" name="redirect" value={redirect} />}
      {[
        { email: user.email, label: t("demoAsUser") },
        { email: manager.email, label: t("demoAsManager") },
      ].map(({ email, label }, index) => (
        <Button
          key={email}
          variant={isChoosing && index === 0 ? "primary" : "secondary"}
          name="email"
          value={email}
        >
          {label}
        </Button>
      ))}
    </Form>
  );
}
