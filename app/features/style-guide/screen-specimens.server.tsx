import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { RetryLink } from "../../ui/feedback/retry-link.tsx";
import { Button, ButtonLink } from "../../ui/forms/button.tsx";
import { NewLink } from "../../ui/layout/new-link.tsx";
import { PageIndex } from "../../ui/layout/page-index.tsx";
import { Panel, PanelLink } from "../../ui/layout/panel.tsx";
import { PartLinks } from "../../ui/layout/part-links.tsx";
import { ScreenFrame } from "../../ui/layout/screen-frame.tsx";
import { Breadcrumb, ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { TopNavigation } from "../../ui/layout/top-navigation.tsx";
import { Badge } from "../../ui/text/badge.tsx";
import { Fact, ShortFacts } from "../../ui/text/fact.tsx";
import { PermissionTable } from "../../ui/text/permission-table.tsx";
import { RecordJson } from "../../ui/text/record-json.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useSampleScreens } from "./sample-screens.ts";
import type { Specimen } from "./specimen.ts";
import { State } from "./specimen-frame.tsx";

/** The parts of a screen. */
export const SCREEN_SPECIMENS: Record<string, Specimen> = {
  "screen-header": () => <Headers />,
  panel: () => <Panels />,
  fact: () => <Facts />,
  "permission-table": () => <Permissions />,
  "record-json": () => <Record />,
  "empty-state": () => <EmptyStates />,
  "retry-link": () => <Retry />,
  "top-navigation": () => <Navigation />,
  "part-links": () => <Tabs />,
  "page-index": () => <Index />,
  "screen-frame": () => <Loading />,
};

function Headers() {
  const { t } = useTranslation("dev");
  const { t: common } = useTranslation();
  return (
    <>
      <State name="title">
        <ScreenHeader title={t("ui.word")} />
      </State>
      <State name="NewLink">
        <ScreenHeader title={t("ui.word")}>
          <NewLink to=".">{t("ui.word")}</NewLink>
        </ScreenHeader>
      </State>
      <State name="breadcrumb, badges">
        <ScreenHeader
          title={t("ui.word")}
          breadcrumb={
            <Breadcrumb>
              {[
                <Up key="up" title={t("ui.title")} />,
                <Up key="nearer" title={t("mails.title")} />,
              ]}
            </Breadcrumb>
          }
          badges={<Badge tone="border-line bg-sunken">{t("ui.word")}</Badge>}
        >
          <Button type="button" isSmall>
            {common("actions.edit")}
          </Button>
        </ScreenHeader>
      </State>
    </>
  );
}

function Up({ title }: { title: string }) {
  return <a href=".">{title}</a>;
}

function Panels() {
  const { t } = useTranslation("dev");
  const { t: common } = useTranslation();
  return (
    <>
      <State name="title">
        <Panel title={t("ui.word")}>
          <p>{t("ui.sentence")}</p>
        </Panel>
      </State>
      <State name="intro, action">
        <Panel
          title={t("ui.word")}
          intro={t("ui.sentence")}
          action={
            <Button type="button" variant="secondary" isSmall>
              {common("actions.edit")}
            </Button>
          }
        />
      </State>
      <State name="PanelLink">
        <Panel title={t("ui.word")} action={<PanelLink to=".">{t("mails.title")}</PanelLink>} />
      </State>
      <State name="isBeside">
        <Panel isBeside title={t("ui.word")} intro={t("ui.sentence")}>
          <p>{t("ui.sentence")}</p>
        </Panel>
      </State>
    </>
  );
}

function Facts() {
  const { t } = useTranslation("dev");
  return (
    <div className="grid gap-6">
      <State name="Fact">
        <dl className="grid grid-cols-2 gap-4 text-sm">
          <Fact term={t("ui.word")}>{t("ui.sentence")}</Fact>
          <Fact term={t("ui.title")}>{t("mails.title")}</Fact>
        </dl>
      </State>
      <State name="ShortFacts">
        <ShortFacts>
          <Fact term={t("ui.word")}>{t("ui.title")}</Fact>
          <Fact term={t("ui.title")}>{t("mails.title")}</Fact>
        </ShortFacts>
      </State>
    </div>
  );
}

function Permissions() {
  const { t } = useTranslation("dev");
  const { t: common } = useTranslation();
  const name = t("ui.sentence");
  return (
    <PermissionTable
      label="permission-table"
      roles={[t("ui.word"), t("ui.title")]}
      groups={[
        {
          key: "one",
          title: t("ui.word"),
          permissions: [{ key: "a", name, isAllowed: [true, true] }],
        },
        { key: "two", permissions: [{ key: "b", name, isAllowed: [true, false] }] },
      ]}
      texts={{
        permission: t("ui.word"),
        allowed: common("actions.confirm"),
        notAllowed: common("actions.cancel"),
      }}
    />
  );
}

function Record() {
  const { t } = useTranslation("dev");
  return (
    <RecordJson
      record={{ name: "Lina Haddad", age: null }}
      facts={<Fact term={t("ui.word")}>Lina Haddad</Fact>}
    />
  );
}

function EmptyStates() {
  const { t } = useTranslation("dev");
  const { t: common } = useTranslation();
  return (
    <EmptyState title={t("ui.word")} text={t("ui.sentence")}>
      <ButtonLink to="." variant="secondary" isSmall>
        {common("actions.back")}
      </ButtonLink>
    </EmptyState>
  );
}

function Retry() {
  const { t } = useTranslation();
  return (
    <div>
      <RetryLink label={t("actions.retry")} />
    </div>
  );
}

function Navigation() {
  return (
    <TopNavigation screens={useSampleScreens()} label="top-navigation" className="flex gap-1" />
  );
}

function Tabs() {
  const { t } = useTranslation("dev");
  const titles = [t("ui.title"), t("mails.title"), t("ui.word")];
  return (
    <PartLinks
      label="part-links"
      parts={titles.map((label, index) => ({ to: `?${index}`, label, isCurrent: index === 0 }))}
    />
  );
}

function Index() {
  const { t } = useTranslation("dev");
  const names = [t("ui.title"), t("mails.title"), t("ui.word")];
  const parts = names.map((name, index) => ({ id: `sample-${index}`, name }));
  return <PageIndex label="page-index" parts={parts} />;
}

function Loading() {
  const { t } = useTranslation("dev");
  return (
    <>
      <State name="title">
        <ScreenFrame title={t("ui.word")} isList={false} />
      </State>
      <State name="isList">
        <ScreenFrame title={undefined} isList />
      </State>
    </>
  );
}
