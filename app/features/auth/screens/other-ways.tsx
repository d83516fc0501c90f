import { Form } from "react-router";
import { Button } from "../../../ui/button.tsx";
import { useTranslation } from "../../../ui/translation.tsx";
import type { Provider } from "../sign-in/providers.ts";
import { ProviderMark } from "./provider-mark.tsx";

type SocialButtonsProps = {
  providers: Provider[];
  busyProvider: FormDataEntryValue | null | undefined;
};

/** Buttons of the identity providers, below a divider; nothing when none is configured. */
export function SocialButtons({ providers, busyProvider }: SocialButtonsProps) {
  const { t } = useTranslation("login");
  if (providers.length === 0) return null;
  return (
    <>
      <Or />
      <Form method="post" className="grid gap-3">
        <input type="hidden" name="intent" value="social" />
        {providers.map(({ id, name }) => (
          <Button
            key={id}
            variant="secondary"
            name="provider"
            value={id}
            isBusy={busyProvider === id}
          >
            <ProviderMark id={id} />
            {t("withProvider", { provider: name })}
          </Button>
        ))}
      </Form>
    </>
  );
}

/** Divider between two ways to continue. */
export function Or() {
  const { t } = useTranslation("login");
  return (
    <div className="flex items-center gap-3 text-sm text-muted">
      <span className="h-px grow bg-line" />
      {t("or")}
      <span className="h-px grow bg-line" />
    </div>
  );
}
