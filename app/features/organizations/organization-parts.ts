import type { FeatureFacts, OrganizationPart, OrganizationPartForm } from "../../feature.ts";
import { FEATURES } from "../../features.ts";
import type { MessageKey } from "../../i18n/message-key.ts";

/** A form of a part, and the path of the part that draws it. */
export type PartForm = OrganizationPartForm & { label: MessageKey; to: string };

type Part = { name: string; to: string; label: MessageKey; form?: PartForm | undefined };

const features: readonly FeatureFacts[] = FEATURES;

const INVITE: PartForm = {
  to: "/app/organizations/:slug/invitations",
  opens: "?invite",
  needs: ["invitation", "create"],
  label: "organizations:membersList.invite",
  icon: "user-plus",
};

/** The parts of an organization, in the order of the links in its frame. */
export const PARTS: readonly Part[] = [
  {
    name: "overview",
    to: "/app/organizations/:slug",
    label: "organizations:nav.overview",
    form: INVITE,
  },
  {
    name: "members",
    to: "/app/organizations/:slug/members",
    label: "organizations:nav.members",
    form: { ...INVITE, isInList: true },
  },
  ...behind("members"),
  {
    name: "invitations",
    to: "/app/organizations/:slug/invitations",
    label: "organizations:nav.invitations",
    form: { ...INVITE, isInList: true },
  },
  ...behind("invitations"),
  {
    name: "settings",
    to: "/app/organizations/:slug/settings",
    label: "organizations:nav.settings",
  },
];

export function partOf(name: string): Part | undefined {
  return PARTS.find((part) => part.name === name);
}

/** Returns the features' parts behind one of the core. */
function behind(name: OrganizationPart["after"]): Part[] {
  return features
    .flatMap(({ parts = [] }) => parts)
    .filter(({ after }) => after === name)
    .map(({ form, ...part }) => ({
      name: part.name,
      to: part.to,
      // `features.check.ts` has compared the texts with those that there are.
      label: part.label as MessageKey,
      form: form && { ...form, label: form.label as MessageKey, to: part.to },
    }));
}
