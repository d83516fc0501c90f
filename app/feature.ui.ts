import type { ComponentType } from "react";
import type { Read } from "./db/read.server.ts";
import type { FeatureFacts, PanelPlace, PlaceOf } from "./feature.ts";
import type { RoleHolder } from "./features/access/permissions.ts";
import type { OrganizationRole } from "./features/access/role-names.ts";
import type { Joined } from "./features.ts";
import type { RefusedForm } from "./ui/forms/refused-form.ts";
import type { IconName } from "./ui/text/icon-names.ts";

/** What the header of an area tells what features draw there. */
export type HeaderProps = {
  area: "app" | "manager";
  user: RoleHolder;
  /** Screens of the area, as in its navigation. */
  screens: readonly { path: string; icon: IconName; label: string }[];
  /** The other area, for users who may open both. */
  otherArea: { path: string; label: string } | undefined;
};

/** What the pages of the sign-in show of a demonstration. */
export type DemonstrationLogin = {
  /** Above each of them. */
  Notice: ComponentType;
  /** Below the title of the login page, in place of its own introduction. */
  Intro: ComponentType;
  /** Accounts to choose from. True until one is chosen: they stand out then. */
  Accounts: ComponentType<{ redirect: string | undefined; isChoosing: boolean }>;
};

type OfficeSubject = {
  id: string;
  name: string;
  /** False while nothing in it can change, and for a reader who may change nothing. */
  mayChange: boolean;
  /** Values and errors of a refused form of the page. */
  result: RefusedForm;
};

type HomeSubject = {
  user: RoleHolder;
  /** The active one. */
  organization: { name: string; slug: string; role: OrganizationRole; isOpen: boolean } | undefined;
};

type CorePages = {
  userPage: { id: string };
  userAside: { id: string };
  accountPage: { area: "app" | "manager" };
  organizationSettings: { slug: string };
  organizationOverview: { slug: string; role: OrganizationRole };
  inviteForm: { values: Record<string, string>; errors: Record<string, string[]> };
  /** `teamId` is a column of better-auth's invitation. */
  invitationRow: { teamId: string | null };
  invitation: { organization: string };
  officeOrganization: OfficeSubject;
  officeAside: OfficeSubject;
  dashboard: object;
  home: HomeSubject;
  homeSteps: HomeSubject;
  homeActions: HomeSubject;
};

type FeaturePages = {
  [Place in keyof Joined<"places">]: Joined<"places">[Place] extends PlaceOf<infer Subject>
    ? Subject
    : never;
};

/** What a page tells the panels of a place about what it shows. */
export type PanelSubject = { [Place in PanelPlace]: CorePages[Place] } & FeaturePages;

/** Where panels can be: a place of the core, or of a feature. */
export type AnyPlace = keyof PanelSubject;

/** What a panel draws: what its statement found, or null where it has none. */
export type PanelProps<Place extends AnyPlace, Shown = null> = {
  subject: PanelSubject[Place];
  shown: Shown;
  now: Date;
};

type ShownBy<Server, Name> = Server extends { panels: infer Panels }
  ? Name extends keyof Panels
    ? Panels[Name] extends (...given: never[]) => Read<infer Shown>
      ? Shown
      : null
    : null
  : null;

/** The components of a feature's panels: exactly those of its facts, with what its server facts read for them. */
export type FeaturePanels<Facts extends FeatureFacts, Server> = {
  [Name in keyof Facts["panels"]]: Facts["panels"][Name] extends {
    in: infer Place extends AnyPlace;
  }
    ? ComponentType<PanelProps<Place, ShownBy<Server, Name>>>
    : never;
};
