import { RouteErrorPage } from "../../ui/feedback/error-page.tsx";
import { NoticeLine } from "../../ui/feedback/notice-line.tsx";
import { MovingBar } from "../../ui/feedback/pending-bar.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import { Sidebar } from "../../ui/layout/sidebar.tsx";
import { SkipLink } from "../../ui/layout/skip-link.tsx";
import { Drawer, DrawerActions } from "../../ui/overlays/drawer.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useSampleScreens } from "./sample-screens.ts";
import { EMAIL } from "./samples.ts";
import type { Specimen } from "./specimen.ts";
import { FixedFrame, State } from "./specimen-frame.tsx";

/** What covers a page or stands around it. */
export const FRAME_SPECIMENS: Record<string, Specimen> = {
  drawer: () => <OpenDrawer />,
  sidebar: () => <Sidebars />,
  "pending-bar": () => (
    <FixedFrame height="0.25rem">
      <MovingBar />
    </FixedFrame>
  ),
  "skip-link, focused with Tab": () => (
    <FixedFrame height="5.5rem" className="-m-4 p-4">
      <SkipLink isShown />
    </FixedFrame>
  ),
  "notice-line": () => <NoticeLines />,
  ...Object.fromEntries(
    [403, 404, 500, 418].map((status) => [
      `error-page, ${status}`,
      () => <ErrorPage status={status} />,
    ]),
  ),
  "error-page, any error": () => <ErrorPage />,
};

function OpenDrawer() {
  const { t } = useTranslation("dev");
  const { t: login } = useTranslation("login");
  const { t: common } = useTranslation();
  return (
    <FixedFrame height="24rem" className="md:[&_.form-drawer]:w-96!">
      <Drawer title={t("ui.word")} intro={t("ui.sentence")} closeTo=".">
        <TextField name="drawer" label={login("email")} errors={[]} defaultValue={EMAIL} />
        <DrawerActions closeTo=".">
          <Button type="button">{common("actions.save")}</Button>
        </DrawerActions>
      </Drawer>
    </FixedFrame>
  );
}

function NoticeLines() {
  const { t } = useTranslation();
  return (
    <div className="grid justify-items-start gap-4">
      <State name="notice-line">
        <NoticeLine>{t("network.offline")}</NoticeLine>
      </State>
      <State name="actions">
        <NoticeLine
          actions={
            <Button type="button" variant="secondary">
              {t("version.reload")}
            </Button>
          }
        >
          {t("version.outdated")}
        </NoticeLine>
      </State>
      <State name="isError, icon, actions">
        <NoticeLine
          isError
          icon={<Icon name="wifi-off" className="size-4 shrink-0 text-danger" />}
          actions={
            <Button type="button" variant="secondary">
              {t("actions.tryAgain")}
            </Button>
          }
        >
          {t("network.notSent")}
        </NoticeLine>
      </State>
    </div>
  );
}

/** Open and collapsed. A narrow window shows neither. */
function Sidebars() {
  const { t } = useTranslation("dev");
  const screens = useSampleScreens();
  return (
    <FixedFrame height="19.25rem">
      <div className="flex h-full gap-6 [&_aside]:h-72">
        {["sidebar", "isCollapsed"].map((name, index) => (
          <State key={name} name={name}>
            <Sidebar
              screens={screens}
              label={`${t("ui.word")}, ${name}`}
              collapseLabel={t("ui.title")}
              isCollapsed={index === 1}
              onCollapse={() => {}}
            />
          </State>
        ))}
      </div>
    </FixedFrame>
  );
}

/** Without a status it is the page of an error that is no answer. */
function ErrorPage({ status }: { status?: number }) {
  const answer = { status, statusText: "", internal: false, data: null };
  return (
    <div className="[&>div]:min-h-0">
      <RouteErrorPage error={status ? answer : undefined} isInShell searchPath="." />
    </div>
  );
}
