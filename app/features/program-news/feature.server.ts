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
    "webhooks-changed": {
      write: ({ organization, news, isMore, page, link }, { t }) => {
        // `features.check.ts` has compared the texts with the kinds and pages of the facts.
        const say = t as (key: string, values?: Record<string, string>) => string;
        const texts = news.map(({ what, name, by }) =>
          say(`webhooksChanged.${what}`, {
            name: isolate(name),
            by: by === null ? t("webhooksChanged.gone") : isolate(by),
          }),
        );
        const at = organization === null ? t("webhooksChanged.site") : isolate(organization);
        return {
          subject: t("webhooksChanged.subject", { organization: at }),
          preview: texts[0] ?? "",
          title: t("webhooksChanged.title"),
          paragraphs: [
            ...texts,
            ...(isMore ? [t("webhooksChanged.more")] : []),
            t("webhooksChanged.check"),
          ],
          link: { label: say(`webhooksChanged.open.${page}`), to: link },
        };
      },
      samples: SAMPLES,
    },
  },
} satisfies ServerFacts<typeof programNews>;
