import { PageIndex } from "../../ui/page-index.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { LIVE_SPECIMENS } from "./live-specimens.tsx";
import { idOf, windowsOf } from "./specimen-names.ts";

/** Links to every primitive: `names` are those that the server renders. A wide window keeps them beside the page. */
export function SpecimenIndex({ names }: { names: string[] }) {
  const { t } = useTranslation("dev");
  return (
    <PageIndex
      label={t("onThisPage")}
      className="xl:sticky xl:top-6 xl:block xl:max-h-[calc(100dvh-3rem)] xl:overflow-y-auto"
      parts={[...names, ...Object.keys(LIVE_SPECIMENS)].map((name) => ({
        id: idOf(name),
        className: windowsOf(name),
        name: (
          <span className="font-mono" dir="ltr" translate="no">
            {name}
          </span>
        ),
      }))}
    />
  );
}
