import { NEWS_PAGES } from "./pages.ts";

const SITE = "https://gatehouse.example";

/** A mail with all kinds of news of a page, and for the site too where it has such a page. */
export const SAMPLES = Object.entries(NEWS_PAGES).flatMap(([page, { kinds, site }]) => {
  const news = kinds.map((what, at) => ({
    what,
    name: "hooks.example.org",
    by: at === 0 ? "زهراء Zawadi" : null,
  }));
  const ofOrganization = {
    organization: "Nyumbani Cooperative",
    news,
    isMore: true,
    page,
    link: `${SITE}/app/organizations/nyumbani/${page}`,
  };
  if (site === undefined) return [ofOrganization];
  return [ofOrganization, { organization: null, news, isMore: false, page, link: SITE + site }];
});
