import { Form, href, Link } from "react-router";
import { panelClass } from "../../ui/layout/panel.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";

const STEPS = ["name", "picture", "passkey", "language"] as const;

/** The steps of the setup: true when done. A step that this installation does not offer is absent. */
export type Setup = Partial<Record<(typeof STEPS)[number], boolean>>;

/** The steps that complete a new account, until all are done or the user dismisses them. */
export function SetupChecklist({ setup }: { setup: Setup }) {
  const { t } = useTranslation("app");
  const steps = STEPS.filter((step) => setup[step] !== undefined);
  const done = steps.filter((step) => setup[step]).length;
  return (
    <section aria-labelledby="setup" className={`grid gap-4 ${panelClass}`}>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h2 id="setup" className="text-base font-semibold">
            {t("home.setup.title")}
          </h2>
          <p className="text-sm text-muted">
            {t("home.setup.progress", { done, count: steps.length })}
          </p>
        </div>
        <Form method="post" replace>
          <button
            type="submit"
            name="intent"
            value="dismiss-setup"
            className="-my-2 -me-2 min-h-control rounded-md px-2 text-sm text-muted hover:bg-fill hover:text-ink"
          >
            {t("home.setup.dismiss")}
          </button>
        </Form>
      </div>
      <ul className="grid gap-2 sm:grid-cols-2 lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none">
        {steps.map((step) => (
          <Step key={step} step={step} isDone={setup[step] === true} />
        ))}
      </ul>
    </section>
  );
}

const PATHS = {
  name: `${href("/app/account")}?state=change-name`,
  picture: href("/app/account/picture"),
  passkey: `${href("/app/account")}?state=add-passkey`,
  language: href("/app/account"),
} as const;

function Step({ step, isDone }: { step: (typeof STEPS)[number]; isDone: boolean }) {
  const { t } = useTranslation("app");
  const row = "flex min-h-11 items-center gap-3 rounded-md border px-3 py-2 text-sm";
  if (isDone) {
    return (
      <li className={`${row} border-transparent bg-sunken text-muted`}>
        <Icon name="circle-check" className="size-5 shrink-0 text-success" />
        {t(`home.setup.${step}`)}
        <span className="sr-only">{t("home.setup.done")}</span>
      </li>
    );
  }
  return (
    <li>
      <Link
        to={PATHS[step]}
        className={`${row} border-line-button font-medium hover:bg-fill active:bg-fill-hover`}
      >
        {/* As large as the circle of the icon. */}
        <span className="m-px size-4.5 shrink-0 rounded-full border-2 border-line-strong" />
        <span className="grow">{t(`home.setup.${step}`)}</span>
        <Icon name="chevron-right" className="size-4 shrink-0 text-muted" />
      </Link>
    </li>
  );
}
