import { useTranslation } from "../../ui/text/translation.tsx";

export type Build = { version: string; commit: string; time: string };

/** Version, commit and time of the build, for reports of faults. */
export function BuildInformation({ version, commit, time }: Build) {
  const { t } = useTranslation("system");
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1 text-xs text-muted">
      {[
        [t("build.version"), version],
        [t("build.commit"), commit],
        [t("build.time"), `${time.slice(0, 16).replace("T", " ")} UTC`],
      ].map(([term, value]) => (
        <div key={term} className="flex gap-1">
          <dt>{term}</dt>
          <dd>
            <bdi className="font-mono text-xs">{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
