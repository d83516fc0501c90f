import { Icon } from "../../ui/icon.tsx";
import { Labelled } from "../../ui/labelled.tsx";
import { Menu } from "../../ui/menu.tsx";
import { useTranslation } from "../../ui/translation.tsx";

export type Source = {
  place: string | null;
  ipAddress: string | null;
  device: { browser: string; system: string } | undefined;
};

/** Button that shows the location, the IP address and the device of an event; nothing when none is known. */
export function EventSource({ place, ipAddress, device }: Source) {
  const { t } = useTranslation("logs");
  if (!place && !ipAddress && !device) return null;
  return (
    <Menu
      label={t("audit.where")}
      trigger={<Icon name="info" className="size-4" />}
      triggerClassName="list-more-link"
    >
      <ul className="grid gap-1 px-3 py-2 text-sm">
        {place && (
          <li>
            <Labelled label={t("audit.place")}>
              <bdi>{place}</bdi>
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
