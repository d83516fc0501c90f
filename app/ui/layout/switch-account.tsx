import { Form, href } from "react-router";
import { Button, type ButtonVariant } from "../forms/button.tsx";
import { useTranslation } from "../text/translation.tsx";

type SwitchAccountProps = {
  next: string;
  variant: ButtonVariant;
};

/** Button that signs out, so that a person can sign in with another account. */
export function SwitchAccount({ next, variant }: SwitchAccountProps) {
  const { t } = useTranslation();
  const search = new URLSearchParams({ redirect: next });
  return (
    <Form method="post" action={`${href("/sign-out")}?${search}`} className="grid">
      <Button variant={variant}>{t("actions.switchAccount")}</Button>
    </Form>
  );
}
