import { useTranslation } from "../text/translation.tsx";

/** The page of a worker whose settings are incomplete: what is missing, and which command sets it. */
export function SetupPage({ problems }: { problems: string[] }) {
  const { t } = useTranslation();
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div className="grid w-full max-w-2xl gap-6">
        <h1 className="text-xl font-semibold">{t("setup.title")}</h1>
        <section className="grid gap-2">
          <h2 className="font-medium">{t("setup.missing")}</h2>
          <ul lang="en" dir="ltr" className="grid gap-2">
            {problems.map((problem) => {
              const [name = "", ...rest] = problem.split(": ");
              return (
                <li
                  key={problem}
                  className="wrap-anywhere rounded-md border border-line p-3 text-sm"
                >
                  <code className="font-mono font-medium">{name}</code>: {rest.join(": ")}
                </li>
              );
            })}
          </ul>
        </section>
        <section className="grid gap-2">
          <h2 className="font-medium">{t("setup.run")}</h2>
          <Command text="npm run setup -- --trial" purpose={t("setup.trial")} />
          <Command text="npm run setup" purpose={t("setup.domain")} />
        </section>
      </div>
    </main>
  );
}

function Command({ text, purpose }: { text: string; purpose: string }) {
  return (
    <p className="grid gap-1 text-sm">
      <code dir="ltr" className="rounded-md bg-fill p-3 font-mono">
        {text}
      </code>
      <span className="text-muted">{purpose}</span>
    </p>
  );
}
