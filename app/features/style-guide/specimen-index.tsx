import { Disclosure } from "../../ui/disclosure.tsx";
import { PageIndex } from "../../ui/page-index.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { LIVE_SPECIMENS } from "./live-specimens.tsx";
import { idOf, windowsOf } from "./specimen-names.ts";

/**
 * Links to every primitive: `names` are those that the server renders. A wide window keeps them beside the page. A narrow one
 * has them above it, folded.
 */
export function SpecimenIndex({ names }: { names: string[] }) {
  const { t } = useTranslation("dev");
  const label = t("onThisPage");
  const parts = [...names, ...Object.keys(LIVE_SPECIMENS)].map((name) => ({
    id: idOf(name),
    className: windowsOf(name),
    name: (
      <span className="font-mono text-sm" dir="ltr" translate="no">
        {name}
      </span>
    ),
  }));
  return (
    <>
      <div className="xl:hidden">
        <Disclosure title={label}>
          <PageIndex
            label={label}
            className="grid! grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))]"
            parts={parts}
          />
        </Disclosure>
      </div>
      <div className="sticky top-6 self-start max-xl:hidden">
        <PageIndex
          label={label}
          className="block! max-h-[calc(100dvh-3rem)] overflow-y-auto [mask-image:linear-gradient(#000_calc(100%-3rem),transparent)] pb-12"
          parts={parts}
        />
      </div>
    </>
  );
}
