import type { OrganizationRole, Role } from "./features/access/role-names.ts";
import type { MailRule } from "./features/mail/mail-rule.ts";
import type { IconName } from "./ui/text/icon-names.ts";

/**
 * What a feature tells the core about itself, for the server and the browser: literals in its
 * `feature.ts`, which imports types and leaf constants only. `features.ts` lists the features; the
 * core reads the list and names none of them. A permission, a text or a path that a fact names is a
 * string here and is checked in `features.check.ts`.
 */
export type FeatureFacts = {
  /** Name of its folder, of its texts in `locales` and for `npm run remove`. */
  name: string;
  /** Features that must be there too. */
  needs?: readonly string[];
  /**
   * Its files of texts in `locales`: `{ webhooks: textsOf<typeof texts>() }`, where `texts` is the
   * English file's type.
   */
  texts?: { readonly [namespace: string]: TextsOf<object> };
  /** Its links in the core's screens. */
  navigation?: readonly NavigationEntry[];
  /** Its things that have a name and a screen in the back-office, by the kind that events and the search call them. */
  things?: { readonly [kind: string]: Thing };
  /** What the dashboard counts of its rows. */
  figures?: { readonly [counter: string]: Figure };
  /** What waits for a manager, which the dashboard counts among what needs attention. */
  toDo?: { readonly [kind: string]: ToDo };
  /** Its steps of setting a site up, which the dashboard lists until all are done. */
  setUp?: { readonly [step: string]: SetUpStep };
  /** What users may do with its things, and the roles that may; an admin may everything. */
  permissions?: PermissionTable<Exclude<Role, "admin">>;
  /** What members may do with its things, and the roles that may. */
  organizationPermissions?: PermissionTable<OrganizationRole>;
  /** Its permissions whose use needs no fresh proof, with the reason. Acts say it themselves (`act.ts`). */
  harmless?: { readonly [permission: `${string}.${string}`]: string };
  /** Error codes that its triggers raise on tables of organizations, of which the core makes refusals. */
  raised?: readonly string[];
  /** The events that it writes to the audit log. Their names stand in `events` of its texts. */
  audit?: { readonly [action: `${string}.${string}`]: AuditRow };
  /** The kinds of mails that it sends. */
  mails?: { readonly [kind: string]: MailFact };
  /** What the people who may change its things are told of each other's changes, by the page that shows them. */
  news?: { readonly [page: string]: NewsPage };
  /** What an admin must look at when it holds, and the page that says more. */
  attention?: { readonly [trouble: string]: Place };
  /** Its parts of an organization, which all members may open. */
  parts?: readonly OrganizationPart[];
  /** Places of its own pages, by the page's name after its own. Features that need it draw there. */
  places?: { readonly [place: FeaturePlace]: PlaceOf<object> };
  /**
   * What it draws in the pages of the core and of features that it needs, in this order. The
   * components stand in its `panels.tsx`.
   */
  panels?: { readonly [panel: string]: PanelFact };
};

/** A place in a page, and the permission without which the panel is not there. */
export type PanelFact = {
  in: PanelPlace | FeaturePlace;
  needs?: readonly [resource: string, action: string];
};

/** Who opens a page with panels, and how. */
export type PanelReader = {
  /** Empty for anonymous visitors. */
  id: string;
  timeZone: string | undefined;
  now: Date;
  /** What the page's URL asks for; empty where the page says nothing of it. */
  search: URLSearchParams;
};

export type PanelPlace =
  /** A user's page in the back-office, in its tab of sessions. */
  | "userPage"
  /** Below the facts of a user in the back-office. */
  | "userAside"
  /** Security in the own account. */
  | "accountPage"
  /** The settings of an organization, while it is open. */
  | "organizationSettings"
  /** The overview of an organization, before the members. */
  | "organizationOverview"
  /** The form that invites into an organization, below the e-mails. */
  | "inviteForm"
  /** A row of the list of invitations, after the inviter. `id` is the organization. */
  | "invitationRow"
  /** The page of an open invitation, below the role. `id` is the invitation. */
  | "invitation"
  /** An organization in the back-office, below the members. */
  | "officeOrganization"
  /** Beside the facts of an organization in the back-office. */
  | "officeAside"
  /**
   * The dashboard of the back-office, above the deliveries of mails. It is about nothing, so `id`
   * is empty.
   */
  | "dashboard"
  /** The start of the app. `id` is the active organization, or empty. */
  | "home"
  /** Among the cards of next steps there, each a list item. */
  | "homeSteps"
  /** Beside the greeting there. */
  | "homeActions";

/** A place in a page of a feature: its name, and what it calls the place. */
export type FeaturePlace = `${string}:${string}`;

declare const subject: unique symbol;

/** The type of what a place tells its panels about the page. */
export type PlaceOf<Subject> = { readonly [subject]?: Subject };

/** @public For features, of which there may be none. */
export function placeOf<Subject extends object>(): PlaceOf<Subject> {
  return {};
}

/** A page, and the permission without which nobody is led there. */
export type Place = { to: string; needs: readonly [resource: string, action: string] };

type NavigationEntry = ScreenLink | PartLink;

/**
 * A link to a screen in the navigation of an area, an action that the search offers, or a page that
 * only the search offers, in one area or in both.
 */
export type ScreenLink = Place & {
  in: "app" | "manager" | "actions" | "appPages" | "managerPages" | "pages";
  /** Key of the text, with its namespace. */
  label: string;
  icon: IconName;
  /** For a list: key of the text of its search, with its namespace. A missing page of the area offers it. */
  search?: string;
  /** Key of more words for the search, with its namespace. The label is found too. */
  words?: string;
};

/** A link in a core's screen: parts of the site's settings, or tools of the list of users. */
export type PartLink = Place & {
  in: "settings" | "users";
  /** Key of the text, with its namespace, and of a short one for a phone. */
  label: string;
  short?: string;
  icon?: IconName;
};

/** A part of an organization: a link in its frame, around a screen of the feature. */
export type OrganizationPart = {
  /** What its screen calls it. */
  name: string;
  to: string;
  /** Key of the text, with its namespace. */
  label: string;
  /** The part of the core that it stands behind. */
  after: "members" | "invitations";
  form?: OrganizationPartForm;
};

/** The form of a part: a parameter of the URL opens it, or it has a screen below, for the members who may. */
export type OrganizationPartForm = {
  /** Such as `?invite` or `/new`, behind the URL of the part. */
  opens: `?${string}` | `/${string}`;
  needs: readonly [resource: string, action: string];
  /** Key of the text, with its namespace. */
  label: string;
  icon: IconName;
  /** True for a drawer, beside which its link stays. */
  isDrawer?: boolean;
  /** True when its link stands in the toolbar of a list on a phone, not below the links to the parts. */
  isInList?: boolean;
};

/** A kind of things. `to` is the screen of one in the back-office, with `:id`. */
export type Thing = Place & {
  /** Its table, with a column `id`, and the column that tells one from others. */
  table: string;
  title: string;
  icon: IconName;
  /** Key of the text for many of them, with its namespace. */
  label: string;
  /** The screen of one in the app. Without it, one is opened in the back-office only. */
  toInApp?: string;
  /** True when the screen opens for the owner alone, so that nobody is led there. */
  isPrivate?: boolean;
};

/** A number of the dashboard, kept by triggers in `counter`. `to` is the list that shows what is counted. */
export type Figure = Place & {
  /** Key of the text, with its namespace. */
  label: string;
  /** The audit action of adding to it. The dashboard compares its last 7 days with the 7 before. */
  added: `${string}.${string}`;
};

/** Rows that wait for a manager. `to` is the screen that shows them. */
export type ToDo = Place & {
  icon: IconName;
  /** Key of the text, with its namespace, for `count` and `formatted`. */
  label: string;
};

/** A step of setting a site up. `to` is the screen where it is done. */
export type SetUpStep = Place & {
  /** Keys of its text and of a sentence that says what it is good for, with their namespaces. */
  label: string;
  hint: string;
};

export type PermissionTable<Granted extends string> = {
  readonly [resource: string]: { readonly [action: string]: readonly Granted[] };
};

export type AuditRow = {
  icon: IconName;
  /** Fields of its details that no other event has. Each has a label in `logs`. */
  fields?: readonly string[];
  /** The field that names what the event is about, beside a member. */
  about?: string;
  /**
   * The type under which the event is told to other systems, and to whose: the site's alone, or also those of the
   * organization that it is about. Without it nobody is told.
   */
  webhook?: {
    type: string;
    for: "site" | "all";
    /** Kinds of the objects whose ids it has; by default the one that the type begins with. */
    ids?: readonly string[];
  };
};

export type MailFact = { rule: MailRule; message: MessageType<object> };

/** News of programs: who is told of which kinds, and the page of an organization, or of the site. */
export type NewsPage = {
  kinds: readonly string[];
  needs: readonly [resource: string, action: string];
  organization: `${string}/:slug/${string}`;
  site?: string;
};

declare const message: unique symbol;

/** A message's type without a value: what a mail of a kind is made of. */
export type MessageType<Message> = { readonly [message]?: Message };

/** Names the type of a kind's message. */
export function messageOf<Message extends object>(): MessageType<Message> {
  return {};
}

declare const texts: unique symbol;

/** The type of a file of texts. The facts hold no text: a browser loads those of its screen, in one language. */
export type TextsOf<Texts> = { readonly [texts]?: Texts };

export function textsOf<Texts>(): TextsOf<Texts> {
  return {};
}

/**
 * A URL of a feature, as a row of its `routes.ts`. Its place in `app/routes.ts` decides the path
 * before its own, the guard and the layout.
 */
export type FeatureRoute = {
  in: RoutePlace;
  path: string;
  /** File in the feature's folder `routes`. */
  file: string;
};

export type RoutePlace =
  /** Below no layout. */
  | "root"
  /** The pages of the sign-in. */
  | "login"
  /** `/app`, for everybody who is signed in. */
  | "app"
  /** `/app/organizations/:slug`, for its members. */
  | "organization"
  /** `account` in both areas. */
  | "account"
  /** `/manager`, for managers. */
  | "manager"
  /** `/manager` for answers that are no pages, such as exports. */
  | "manager-files"
  /** `/manager/settings`. */
  | "settings";
