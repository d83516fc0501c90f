import type { ServerFacts } from "../../feature.server.ts";
import { isolate } from "../../ui/text/isolate.ts";
import type { programNews } from "./feature.ts";
import { SAMPLES } from "./samples.ts";
import { pruneNews, tellDueNews } from "./tell-news.server.ts";

export const programNewsServer = {
  minute: [
    {
      name: "tell news of programs",
      run: ({ db, mailer, config: { baseUrl, plan } }, now) =>
        tellDueNews({ db, mailer, baseUrl }, plan, now),
    },
  ],
  hour: [{ name: "prune news of programs", run: ({ db }, now) => pruneNews(db, now) }],
  mails: {
    "programs-changed": {
      write: ({ organization, news, isMore, page, link }, { t }) => {
        // `features.check.ts` has compared the texts with the kinds and pages of the facts.
        const say = t as (key: string, values?: Record<string, string>) => string;
        const texts = news.map(({ what, name, by }) =>
          say(`programsChanged.${what}`, {
            name: isolate(name),
            by: by === null ? t("programsChanged.gone") : isolate(by),
          }),
        );
        const at = organization === null ? t("programsChanged.site") : isolate(organization);
        return {
          subject: t("programsChanged.subject", { organization: at }),
          preview: texts[0] ?? "",
          title: t("programsChanged.title"),
          paragraphs: [
            ...texts,
            ...(isMore ? [t("programsChanged.more")] : []),
            t("programsChanged.check"),
          ],
          link: { label: say(`programsChanged.open.${page}`), to: link },
        };
      },
      samples: SAMPLES,
    },
  },
} satisfies ServerFacts<typeof programNews>;
