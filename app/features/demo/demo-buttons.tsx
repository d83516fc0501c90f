import { Form } from "react-router";
import { Button } from "../../ui/button.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { DEMO_ACCOUNTS } from "./accounts.ts";

/** The buttons of a demonstration's login screen: each asks for the code of a sample account. */
export function DemoButtons({ busyEmail }: { busyEmail: FormDataEntryValue | null | undefined }) {
  const { t } = useTranslation("login");
  const { user, manager } = DEMO_ACCOUNTS;
  return (
    <Form method="post" className="grid gap-3 sm:grid-cols-2">
      <input type="hidden" name="intent" value="email" />
      {[
        { email: user.email, label: t("demoAsUser") },
        { email: manager.email, label: t("demoAsManager") },
      ].map(({ email, label }) => (
        <Button
          key={email}
          variant="secondary"
          name="email"
          value={email}
          isBusy={busyEmail === email}
        >
          {label}
        </Button>
      ))}
    </Form>
  );
}
