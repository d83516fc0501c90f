import type { ReactNode } from "react";
import { Form } from "react-router";
import { Button } from "../../../ui/forms/button.tsx";
import { MarkedButton } from "../../../ui/forms/marked-button.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import type { Provider } from "../sign-in/providers.ts";
import { ProviderMark } from "./provider-mark.tsx";

type OtherWaysProps = {
  providers: Provider[];
  /** The method of the last sign-in in this browser. */
  lastMethod: string | undefined;
  busyProvider: FormDataEntryValue | null | undefined;
  /** The way by passkey. Alone it brings its own divider, because it may be missing. */
  children: ReactNode;
};

/** The ways to sign in other than by e-mail, below a divider: by passkey, and with the identity providers. */
export function OtherWays({ providers, lastMethod, busyProvider, children }: OtherWaysProps) {
  const { t } = useTranslation("login");
  if (providers.length === 0) return children;
  return (
    <>
      <Or />
      <div className="grid gap-3">
        {children}
        <Form method="post" className="grid gap-3">
          <input type="hidden" name="intent" value="social" />
          {providers.map(({ id, name }) => (
            <MarkedButton key={id} mark={lastMethod === id ? t("usedLast") : undefined}>
              {(describedBy) => (
                <Button
                  variant="secondary"
                  name="provider"
                  value={id}
                  isBusy={busyProvider === id}
                  aria-describedby={describedBy}
                >
                  <ProviderMark id={id} className="size-4" />
                  {t("withProvider", { provider: name })}
                </Button>
              )}
            </MarkedButton>
          ))}
        </Form>
      </div>
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
