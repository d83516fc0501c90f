import { Disclosure } from "../../ui/layout/disclosure.tsx";
import { PageLinks } from "../../ui/layout/page-index.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { type GroupName, idOf, windowsOf } from "./specimen.ts";

type Group = { name: GroupName; parts: string[] };

/** Links to every primitive. A wide window keeps them beside the page. A narrow one has them above it, folded. */
export function SpecimenIndex({ groups }: { groups: Group[] }) {
  const { t } = useTranslation("dev");
  return (
    <>
      <div className="xl:hidden">
        <Disclosure title={t("onThisPage")}>
          <Groups
            groups={groups}
            className="grid! grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))]"
          />
        </Disclosure>
      </div>
      <div className="sticky top-6 mt-1 max-h-[calc(100dvh-3rem)] self-start overflow-y-auto [mask-image:linear-gradient(#000_calc(100%-3rem),transparent)] pb-12 max-xl:hidden">
        <Groups groups={groups} className="block!" />
      </div>
    </>
  );
}

function Groups({ groups, className }: { groups: Group[]; className: string }) {
  const { t } = useTranslation("dev");
  return (
    <nav aria-label={t("onThisPage")}>
      {groups.map(({ name, parts }) => (
        <div key={name} className="mb-4">
          <p className="text-sm font-semibold">{t(`ui.groups.${name}`)}</p>
          <PageLinks
            className={className}
            parts={parts.map((part) => ({
              id: idOf(part),
              className: windowsOf(part),
              name: (
                <span className="font-mono text-sm" dir="ltr" translate="no">
                  {part}
                </span>
              ),
            }))}
          />
        </div>
      ))}
    </nav>
  );
}
