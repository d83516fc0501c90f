import { href } from "react-router";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { WithOwnText } from "../../ui/text/with-own-text.tsx";
import { RecentList, type RecentShown } from "../repositories/recent-repositories.tsx";

type HomeSharedProps = RecentShown & {
  now: Date;
  organization: { name: string; slug: string; mayShare: boolean };
};

/** The repositories that are shared with the active organization; without any, who can share one. */
export function HomeShared({ organization, ...shared }: HomeSharedProps) {
  const { t } = useTranslation("app");
  const { name, slug, mayShare } = organization;
  if (shared.rows.length === 0) {
    return (
      <EmptyState
        title={<WithOwnText text={(own) => t("home.shared.none", { name: own })} value={name} />}
        text={t(mayShare ? "home.shared.mayShare" : "home.shared.askOwner")}
      />
    );
  }
  return (
    <RecentList
      {...shared}
      id="shared"
      title={<WithOwnText text={(own) => t("home.recent.shared", { name: own })} value={name} />}
      allPath={href("/app/organizations/:slug/repositories", { slug })}
    />
  );
}
