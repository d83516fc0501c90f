import { Fact, ShortFacts } from "../../ui/text/fact.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
import { RecentMoment } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import type { Device } from "../../values/device-icon.ts";

type DeviceFactsProps = {
  device: Device | undefined;
  place: string | null;
  since: Date;
  now: Date;
};

/** Which device asks, from where and since when. */
export function DeviceFacts({ device, place, since, now }: DeviceFactsProps) {
  const { t } = useTranslation("connected-apps");
  const format = useFormat();
  return (
    <ShortFacts>
      <Fact term={t("device.device")}>
        {device ? t("device.deviceIs", device) : t("device.unknownDevice")}
      </Fact>
      <Fact term={t("device.place")}>
        {place ? <Formatted>{format.place(place)}</Formatted> : t("device.unknownPlace")}
      </Fact>
      <Fact term={t("device.since")}>
        <RecentMoment date={since} now={now} />
      </Fact>
    </ShortFacts>
  );
}
