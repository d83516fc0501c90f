import { Menu } from "../../ui/overlays/menu.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { Labelled } from "../../ui/text/labelled.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import type { Device } from "../../values/device-icon.ts";

export type Source = {
  place: string | null;
  ipAddress: string | null;
  device: Device | undefined;
};

/** The device of an event, as a button that shows its location and IP address too; a dash when none is known. */
export function EventSource({ place, ipAddress, device }: Source) {
  const { t } = useTranslation("logs");
  const common = useTranslation().t;
  const format = useFormat();
  if (!place && !ipAddress && !device) {
    return <span className="list-wide text-muted">–</span>;
  }
  const where = place ? format.place(place) : isolate(ipAddress ?? "");
  const shown = device ? t("audit.device", device) : where;
  return (
    <Menu
      label={common("labelled", { label: t("audit.where"), value: shown })}
      trigger={
        <span className="truncate" suppressHydrationWarning>
          {shown}
        </span>
      }
      triggerClassName="flex min-h-control max-w-44 items-center rounded-md text-start text-muted underline-offset-4 hover:text-ink hover:underline"
    >
      <ul className="grid gap-1 px-3 py-2 text-sm">
        {place && (
          <li>
            <Labelled label={t("audit.place")}>
              <Formatted>{format.place(place)}</Formatted>
            </Labelled>
          </li>
        )}
        {ipAddress && (
          <li>
            <Labelled label={t("audit.ipAddress")}>
              <bdi>{ipAddress}</bdi>
            </Labelled>
          </li>
        )}
        {device && (
          <li>
            <Labelled label={t("audit.onDevice")}>{t("audit.device", device)}</Labelled>
          </li>
        )}
      </ul>
    </Menu>
  );
}
