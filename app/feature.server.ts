import type { SQL, SQLWrapper } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { MiddlewareFunction } from "react-router";
import type { z } from "zod";
import type { Db } from "./db/db.server.ts";
import type { Read } from "./db/read.server.ts";
import type { FeatureFacts, FeaturePlace, MessageType, PanelReader } from "./feature.ts";
import type { Act } from "./features/access/act.ts";
import type { ApiEndpoint } from "./features/access/api-endpoint.ts";
import type { OrganizationPermission } from "./features/access/organization-permissions.ts";
import type { AppCallers, Programs } from "./features/access/program.server.ts";
import type { EmailChange } from "./features/account/email-change.server.ts";
import type { Actor } from "./features/audit/audit.server.ts";
import type { AuthExtension } from "./features/auth/gateway/auth-plugins.server.ts";
import type { ClientCalls } from "./features/auth/gateway/client-endpoint.ts";
import type { ThingPictures } from "./features/avatars/picture-store.server.ts";
import type { ToDoRows } from "./features/dashboard/attention.server.ts";
import type { Config } from "./features/environment/config.ts";
import type { MailWriter, MailWriters } from "./features/mail/mail-content.ts";
import type { Mailer } from "./features/mail/outbox.server.ts";
import type {
  OrganizationEndpoints,
  OrganizationParts,
} from "./features/organizations/api/api-call.server.ts";
import type {
  OfficeForms,
  Outcome,
} from "./features/organizations/office/organization-change.server.ts";
import type { SampleSize, Samples } from "./features/samples/sample-data.server.ts";
import type { LoginOffer, SignInPurpose } from "./features/site-settings/login-offer.ts";
import type { UserServices } from "./features/users/commands/user-mail.server.ts";
import type { OpenCall } from "./http/open-calls.ts";
import type { ErrorCode, MessageKey } from "./i18n/message-key.ts";
import type { FoundThing } from "./lists/query/list-query.server.ts";
import type { Keys } from "./runtime/keys.server.ts";
import type { ServerFunction } from "./server-functions/define.server.ts";

/** What the core lends to a feature's work. */
export type Host = {
  config: Config;
  db: Db;
  keys: Keys;
  mailer: Mailer;
  /** Makes an alarm ring now, in the object of this id. */
  ring: (alarm: string, id: string) => Promise<void>;
  /** Sample rows of all features. */
  samples: readonly Samples[];
};

/** What the core lends to the calls of better-auth's client, and those that other features add. */
export type ClientServices = Omit<Host, "ring" | "samples"> & {
  /** Bucket for uploaded pictures; undefined without a binding. */
  avatars: R2Bucket | undefined;
  emailChange: EmailChange;
  acceptsEmail: UserServices["acceptsEmail"];
  prepareErasure: UserServices["prepareErasure"];
  endAccess: UserServices["endAccess"];
  organizationEndpoints: OrganizationEndpoints;
  organizationParts: OrganizationParts;
};

/** One job of the cron. Its name stands in the log and on the system page when it fails. */
export type Job = { name: string; run: (host: Host, now: Date) => Promise<unknown> };

/** Looks at a request before its session is read. What it returns refuses it. */
export type BeforeAnswer = (
  host: Host,
  call: Parameters<MiddlewareFunction<Response>>[0],
) => Refused | undefined;

/**
 * A page for programs and their authors, which opens without a session. `/llms.txt` says in English
 * what it is about.
 */
type OpenPage = { path: string; title: string; about: string };

/** Why a request is refused, and the page on which a person is told. */
type Refused = { code: ErrorCode; message: MessageKey; back: string };

/** What makes a demonstration of an environment with `DEMO=true`. */
type Demonstration = {
  /** Accounts that everybody may use: only their codes are shown on the screen. */
  accounts: Readonly<Record<"user" | "manager", { email: string }>>;
  /** What a visitor is told of what nobody may do there. */
  refusal: MessageKey;
  /** Adds what is missing of its sample data and accounts. */
  addSample: (db: Db, now: Date, samples: readonly Samples[]) => Promise<SampleSize>;
};

/**
 * A change that a feature adds to the forms of another one's page.
 * @public For features, of which there may be none.
 */
export type PageChange = {
  in: FeaturePlace;
  input: z.ZodObject<{ intent: z.ZodLiteral<string> }>;
  act: Act;
  /** Changes the page's thing. The outcome's field is the one beside which a refusal stands. */
  run: (db: Db, actor: Actor, id: string, form: unknown) => Promise<Outcome>;
};

/** The user whose data is read. */
type DataOwner = { id: string; email: string };

type MessageIn<Fact> = Fact extends { readonly message: MessageType<infer Message> }
  ? Message
  : never;

/**
 * What a feature does on the server: the core asks for it and names no feature. Exactly the mails,
 * the troubles, what waits for a manager and the steps of the set-up of its `feature.ts` must be
 * here; what waits as a query of the rows that wait for a reader, a step as the condition under which it is done.
 */
export type ServerFacts<Facts extends FeatureFacts> = {
  /** Its routes' calls for programs, by operation id. */
  api?: Readonly<Record<string, ApiEndpoint>>;
  /** How the search finds its `things`, by their kind. */
  found?: Readonly<Record<string, FoundThing>>;
  /** What its screens ask while somebody types: the same table is the type of the browser's calls. */
  functions?: Readonly<Record<string, ServerFunction>>;
  /** How programs are known and answered. One feature does it. */
  programs?: Programs;
  /** How apps are known that call the API for a user. One feature does it. */
  appCallers?: AppCallers;
  /** What makes a demonstration. One feature does it. */
  demonstration?: Demonstration;
  beforeAnswer?: BeforeAnswer;
  /**
   * Its rows in the sample data of `npm start`, `npm run seed` and a demonstration. The features
   * are filled in the order of their list, so one that another needs stands before it.
   */
  samples?: Samples;
  /** Jobs of the cron. */
  minute?: readonly Job[];
  hour?: readonly Job[];
  /**
   * Runs after each answer below 400 that may have written, with the time at which its request
   * began. It must not throw.
   */
  afterWrite?: (host: Host, since: Date, now: Date) => Promise<void>;
  /** Runs when an alarm rings, one at a time for each id. Returns when it must ring again. */
  alarms?: Readonly<
    Record<string, (host: Host, id: string, now: () => Date) => Promise<Date | undefined>>
  >;
  /** Members of the download of a user's own data. */
  ownData?: Readonly<Record<string, (owner: DataOwner) => Read<unknown>>>;
  /** Statements that end what it has opened to a user beside sessions, if a condition holds. */
  endAccess?: (db: Db, userId: string, when: SQLWrapper) => readonly BatchItem<"sqlite">[];
  /** Forms that it adds to an organization's screen in the back-office, by their intent. */
  officeForms?: OfficeForms;
  /** Changes that it adds to pages of features that it needs. */
  pageChanges?: readonly PageChange[];
  /** Which things of a feature that it needs are an organization's, by their kind: a condition for lists of them. */
  ofOrganization?: Readonly<Record<string, (organizationId: string) => SQL>>;
  /** Calls of a feature that it needs which the key of an organization may make too, by operation id. */
  organizationCalls?: Readonly<Record<string, OrganizationPermission>>;
  /** Its pages that `/llms.txt` links and search engines may read. */
  openPages?: readonly OpenPage[];
  /** What the login page offers to people without an account while sign-up is not open. */
  loginOffer?: LoginOffer;
  /** The files of the pictures that its things with these ids have, by the kind of things. Others are deleted. */
  pictures?: ThingPictures;
  /** Plugins of better-auth for its own calls, which `askPlugin` of the gateway sends. One feature has them. */
  authPlugins?: (host: Pick<Host, "config" | "db" | "keys">) => Promise<AuthExtension>;
  /** Its paths for programs and pages of any origin. Cookies are kept from them. */
  openCalls?: readonly OpenCall[];
  /** What a person signs in for who then goes on to a page of this feature. */
  signInPurpose?: (db: Db, page: string) => Promise<SignInPurpose | undefined>;
  /** The calls of better-auth's client that commands of the product answer. One feature has them. */
  clientCalls?: (services: ClientServices) => ClientCalls;
  /** Its own among those calls, within an organization, by path. */
  organizationEndpoints?: OrganizationEndpoints;
  /** What it adds to that client's answer of an organization with everything in it, by the answer's member. */
  organizationParts?: OrganizationParts;
  /**
   * What its panels show, read in the page's batch. `id` is what the page is about: a user, an
   * organization, a thing.
   */
  panels?: {
    readonly [Panel in keyof Facts["panels"]]?: (
      id: string | SQL<string>,
      reader: PanelReader,
    ) => Read<unknown>;
  };
} & (Facts["mails"] extends object
  ? { mails: { [Kind in keyof Facts["mails"]]: MailWriter<MessageIn<Facts["mails"][Kind]>> } }
  : { mails?: never }) &
  (Facts["attention"] extends object
    ? { attention: { [Trouble in keyof Facts["attention"]]: Read<Shown | undefined> } }
    : { attention?: never }) &
  (Facts["toDo"] extends object
    ? { toDo: { [Kind in keyof Facts["toDo"]]: ToDoRows[string] } }
    : { toDo?: never }) &
  (Facts["setUp"] extends object
    ? { setUp: { [Step in keyof Facts["setUp"]]: SQL } }
    : { setUp?: never });

/** Values that the sentence of a trouble shows. */
type Shown = Readonly<Record<string, string>>;

/** The same for any feature, as the core reads it. */
type AnyServerFacts = Omit<
  ServerFacts<{ name: string }>,
  "mails" | "attention" | "toDo" | "setUp" | "panels"
> & {
  panels?: Readonly<
    Record<string, (id: string | SQL<string>, reader: PanelReader) => Read<unknown>>
  >;
  mails?: MailWriters;
  attention?: Readonly<Record<string, Read<Shown | undefined>>>;
  toDo?: ToDoRows;
  setUp?: Readonly<Record<string, SQL>>;
};

/** The server facts of all features in one. */
export type FoldedServer = ReturnType<typeof foldServer>;

export function foldServer(features: readonly AnyServerFacts[]) {
  const tableOf = <Row>(
    read: (facts: AnyServerFacts) => Readonly<Record<string, Row>> | undefined,
  ) => Object.fromEntries(features.flatMap((facts) => Object.entries(read(facts) ?? {})));
  const api = tableOf((facts) => facts.api);
  const organizationCalls = tableOf((facts) => facts.organizationCalls);
  return {
    api: Object.fromEntries(
      Object.entries(api).map(([id, endpoint]) => {
        const organization = organizationCalls[id];
        return [id, organization ? { ...endpoint, organization } : endpoint];
      }),
    ),
    found: tableOf((facts) => facts.found),
    functions: tableOf((facts) => facts.functions),
    authPlugins: features.find((facts) => facts.authPlugins)?.authPlugins,
    openCalls: features.flatMap((facts) => facts.openCalls ?? []),
    clientCalls: features.find((facts) => facts.clientCalls)?.clientCalls,
    programs: features.find((facts) => facts.programs)?.programs,
    appCallers: features.find((facts) => facts.appCallers)?.appCallers,
    demonstration: features.find((facts) => facts.demonstration)?.demonstration,
    samples: features.flatMap((facts) => facts.samples ?? []),
    beforeAnswer: features.flatMap((facts) => facts.beforeAnswer ?? []),
    minute: features.flatMap((facts) => facts.minute ?? []),
    hour: features.flatMap((facts) => facts.hour ?? []),
    afterWrite: features.flatMap((facts) => facts.afterWrite ?? []),
    alarms: tableOf((facts) => facts.alarms),
    ownData: tableOf((facts) => facts.ownData),
    endAccess: features.flatMap((facts) => facts.endAccess ?? []),
    officeForms: tableOf((facts) => facts.officeForms),
    pageChanges: features.flatMap((facts) => facts.pageChanges ?? []),
    ofOrganization: tableOf((facts) => facts.ofOrganization),
    openPages: features.flatMap((facts) => facts.openPages ?? []),
    signInPurposes: features.flatMap((facts) => facts.signInPurpose ?? []),
    loginOffers: features.flatMap((facts) => facts.loginOffer ?? []),
    organizationEndpoints: tableOf((facts) => facts.organizationEndpoints),
    organizationParts: tableOf((facts) => facts.organizationParts),
    pictures: tableOf((facts) => facts.pictures),
    panels: tableOf((facts) => facts.panels),
    mails: tableOf((facts) => facts.mails),
    attention: tableOf((facts) => facts.attention),
    toDo: tableOf((facts) => facts.toDo),
    setUp: tableOf((facts) => facts.setUp),
  };
}
