import { Badge } from "../../ui/badge.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { CopyButton, CopyIcon } from "../../ui/copy-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Fact, ShortFacts } from "../../ui/fact.tsx";
import { NewLink } from "../../ui/new-link.tsx";
import { Panel, PanelLink } from "../../ui/panel.tsx";
import { PermissionTable } from "../../ui/permission-table.tsx";
import { RecordJson } from "../../ui/record-json.tsx";
import { RetryLink } from "../../ui/retry-link.tsx";
import { Breadcrumb, ScreenHeader } from "../../ui/screen-header.tsx";
import { TopNavigation } from "../../ui/top-navigation.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { EMAIL } from "./samples.ts";
import { State } from "./specimen-frame.tsx";
import type { Specimen } from "./specimens.server.tsx";

/** The parts of a screen. */
export const SCREEN_SPECIMENS: Record<string, Specimen> = {
  "screen-header": () => <Headers />,
  panel: () => <Panels />,
  fact: () => <Facts />,
  "permission-table": () => <Permissions />,
  "copy-button": () => <Copies />,
  "record-json": () => <Record />,
  "empty-state": () => <EmptyStates />,
  "retry-link": () => <Retry />,
  "top-navigation": () => <Navigation />,
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
          breadcrumb={<Breadcrumb>{[<Up key="up" />, <Up key="nearer" />]}</Breadcrumb>}
          badges={<Badge tone="border-line bg-sunken">{t("ui.word")}</Badge>}
        >
          <Button type="button">{common("actions.edit")}</Button>
        </ScreenHeader>
      </State>
    </>
  );
}

function Up() {
  const { t } = useTranslation("dev");
  return <a href=".">{t("ui.title")}</a>;
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
            <Button type="button" variant="secondary">
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
      label={t("ui.word")}
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

function Copies() {
  const { t } = useTranslation();
  return (
    <div className="flex gap-6">
      <State name="CopyButton">
        <CopyButton text={EMAIL} />
      </State>
      <State name="CopyIcon">
        <div className="py-3">
          <CopyIcon text={EMAIL} label={t("list.copyId")} />
        </div>
      </State>
    </div>
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
  const { t } = useTranslation("dev");
  const screens = [
    { path: "/dev/ui", icon: "house", label: t("ui.title") },
    { path: "/dev/mails", icon: "mail", label: t("mails.title") },
  ] as const;
  return <TopNavigation screens={screens} label={t("mails.title")} className="flex gap-1" />;
}
