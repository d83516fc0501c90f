import { Form } from "react-router";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import type { Provider } from "./providers.ts";

type SocialButtonsProps = {
  providers: Provider[];
  busyProvider: FormDataEntryValue | null | undefined;
};

/** The ways in through somebody else, behind a divider; nothing when none is configured. */
export function SocialButtons({ providers, busyProvider }: SocialButtonsProps) {
  const { t } = useTranslation("login");
  if (providers.length === 0) return null;
  return (
    <>
      <div className="flex items-center gap-3 text-sm text-muted">
        <span className="h-px grow bg-line" />
        {t("or")}
        <span className="h-px grow bg-line" />
      </div>
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

function ProviderMark({ id }: { id: Provider["id"] }) {
  switch (id) {
    case "google":
      return (
        <svg viewBox="0 0 24 24" className="size-4" aria-hidden="true">
          <path
            fill="#4285f4"
            d="M23 12.3c0-.8-.1-1.600-.2-2.300H12v4.500h6.200a5.300 5.300 0 0 1-2.300 3.400v2.900h3.700c2.200-2 3.400-5 3.400-8.500z"
          />
          <path
            fill="#34a853"
            d="M12 23.500c3.100 0 5.700-1 7.600-2.700l-3.700-2.900c-1 .7-2.300 1.100-3.900 1.100-3 0-5.500-2-6.400-4.700H1.800v3A11.500 11.500 0 0 0 12 23.500z"
          />
          <path
            fill="#fbbc05"
            d="M5.600 14.300a6.900 6.900 0 0 1 0-4.400v-3H1.800a11.500 11.500 0 0 0 0 10.300z"
          />
          <path
            fill="#ea4335"
            d="M12 5.200c1.700 0 3.200.6 4.400 1.700l3.300-3.300A11.500 11.500 0 0 0 1.800 6.900l3.800 3C6.500 7.200 9 5.200 12 5.200z"
          />
        </svg>
      );
    case "github":
      return (
        <svg viewBox="0 0 16 16" className="size-4" aria-hidden="true" fill="currentColor">
          <path d="M8 0a8 8 0 0 0-2.530 15.590c.4.070.55-.17.55-.38v-1.490c-2.230.49-2.700-.95-2.700-.95-.36-.92-.89-1.170-.89-1.170-.73-.5.060-.49.060-.49.8.060 1.230.83 1.230.83.72 1.220 1.880.87 2.340.66.070-.52.280-.87.510-1.070-1.780-.2-3.640-.89-3.640-3.950 0-.87.310-1.590.82-2.150-.08-.2-.36-1.020.080-2.120 0 0 .67-.21 2.200.82a7.600 7.600 0 0 1 4 0c1.530-1.040 2.200-.82 2.200-.82.440 1.100.16 1.920.080 2.120.51.56.82 1.270.82 2.150 0 3.070-1.870 3.750-3.650 3.950.290.25.54.73.54 1.480v2.200c0 .21.15.46.55.38A8 8 0 0 0 8 0z" />
        </svg>
      );
    case "oidc":
      return <Icon name="key-round" className="size-4" />;
  }
}
