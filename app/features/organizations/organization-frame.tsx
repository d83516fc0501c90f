import type { ReactNode } from "react";
import { generatePath, href } from "react-router";
import { Notice } from "../../ui/feedback/notice.tsx";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { PartLinks } from "../../ui/layout/part-links.tsx";
import { BreadcrumbTo, ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { SupportLink } from "../../ui/text/support-link.tsx";
import { useText, useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { WithOwnText } from "../../ui/text/with-own-text.tsx";
import { roleCan } from "../access/organization-permissions.ts";
import { RoleBadge } from "./organization-badges.tsx";
import { OrganizationLogo } from "./organization-logo.tsx";
import type { OrganizationFrame as Frame } from "./organization-page.server.ts";
import { PARTS, partOf } from "./organization-parts.ts";
import { PartFormLink } from "./part-form.tsx";

type OrganizationFrameProps = {
  frame: Frame;
  /** Name of the screen's part, which is its title. */
  part: string;
  children: ReactNode;
};

/** Name, state and parts of an organization, around each of its parts. */
export function OrganizationFrame({ frame, part, children }: OrganizationFrameProps) {
  const { t } = useTranslation("organizations");
  const text = useText();
  const { id, name, logo, role } = frame;
  const current = partOf(part);
  const form = current?.form;
  return (
    <div className="grid gap-6">
      <ScreenTitle>{current ? `${text(current.label)} · ${name}` : name}</ScreenTitle>
      <header className="relative grid grid-cols-1 gap-y-4 sm:grid-cols-[minmax(0,1fr)_auto] sm:gap-x-4">
        <ScreenHeader
          breadcrumb={<BreadcrumbTo to={href("/app/organizations")}>{t("title")}</BreadcrumbTo>}
          picture={<OrganizationLogo id={id} name={name} logo={logo} />}
          title={<bdi className="wrap-anywhere">{name}</bdi>}
          badges={<RoleBadge role={role} />}
          areBadgesAbove
        />
        {form && (
          // As high as the title.
          <div className="flex min-h-lh items-center self-end text-xl max-sm:hidden sm:col-start-2">
            <PartFormLink form={form} frame={frame} />
          </div>
        )}
        <div className="grid min-w-0 grid-cols-1 gap-4 sm:col-span-2">
          <StateNotices frame={frame} />
          <Parts frame={frame} current={part} />
          {form && !form.isInList && (
            <PartFormLink form={form} frame={frame} className="mt-2 justify-self-start sm:hidden" />
          )}
        </div>
      </header>
      {children}
    </div>
  );
}

/** Says that the organization is disabled or will be deleted. */
export function StateNotices({ frame }: { frame: Frame }) {
  const { t } = useTranslation("organizations");
  const format = useFormat();
  const { disabledAt, disabledReason, deletionDueAt } = frame;
  return (
    <>
      {deletionDueAt && (
        <Notice kind="error" isState>
          {t("notice.deleting", { date: isolate(format.moment(deletionDueAt)) })}
        </Notice>
      )}
      {disabledAt && (
        <Notice kind="warning">
          <p>{t("notice.disabled")}</p>
          <SupportLink />
          {disabledReason && (
            <p>
              <WithOwnText
                text={(reason) => t("notice.reason", { reason })}
                value={disabledReason}
              />
            </p>
          )}
        </Notice>
      )}
    </>
  );
}

type PartsProps = { frame: Frame; current: string };

function Parts({ frame: { slug, role, pendingCount }, current }: PartsProps) {
  const { t } = useTranslation("organizations");
  const text = useText();
  const format = useFormat();
  const canInvite = roleCan(role, "invitation", "create");
  const parts = PARTS.filter(({ name }) => name !== "invitations" || canInvite);
  return (
    <PartLinks
      label={t("nav.label")}
      parts={parts.map(({ name, to, label }) => ({
        to: generatePath(to, { slug }),
        label:
          name === "invitations" && pendingCount > 0
            ? t("pending.tab", { count: pendingCount, formatted: format.number(pendingCount) })
            : text(label),
        isCurrent: name === current,
      }))}
    />
  );
}
