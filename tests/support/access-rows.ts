import { SERVER_FEATURES } from "../../app/features.server.ts";

/** Who asks: what they are, and the state of their session. */
export const ROLES = [
  ...(["anonymous", "newcomer", "user", "admin", "banned"] as const),
  ...(["support", "auditor", "stale", "impersonated"] as const),
  ...(["passkey to confirm", "passkey to add", "leaving", "terms due"] as const),
] as const;
export type Role = (typeof ROLES)[number];

/** A status, or the target of a redirect. */
export type Outcome = number | string;
type Outcomes = Record<Role, Outcome>;
export type Row = { read: Outcomes; write: Outcomes };
/** Outcomes that differ from those of the row's kind. */
type Others = { read?: Partial<Outcomes>; write?: Partial<Outcomes> };

export function row(read: Outcomes, write: Outcomes, others: Others = {}): Row {
  return { read: { ...read, ...others.read }, write: { ...write, ...others.write } };
}

export function all(outcome: Outcome): Outcomes {
  return {
    anonymous: outcome,
    newcomer: outcome,
    user: outcome,
    admin: outcome,
    banned: outcome,
    support: outcome,
    auditor: outcome,
    stale: outcome,
    impersonated: outcome,
    "passkey to confirm": outcome,
    "passkey to add": outcome,
    leaving: outcome,
    "terms due": outcome,
  };
}

/** A URL that answers every role alike. Bodies are empty here, so an action that runs answers 400 or 415. */
export function open(read: Outcome, write: Outcome): Row {
  return row(all(read), all(write));
}

/** A call of programs, without a key. Where no feature knows programs, it is not there. */
export const PROGRAM_CALL = SERVER_FEATURES.programs ? open(401, 401) : open(404, 404);

/** The first page of each signed-in user. */
const HOME = {
  ...all("/app"),
  admin: "/manager/dashboard",
  stale: "/manager/dashboard",
  support: "/manager/dashboard",
  auditor: "/manager/dashboard",
};

/** A sign-in screen; signed-in users are redirected to their first page. */
export function signInScreen(read: Outcome, write: Outcome): Row {
  const away = (outcome: Outcome) => ({ ...HOME, anonymous: outcome, banned: outcome });
  return row(away(read), away(write));
}

/** A screen for one state of a session. Others go to the sign-in or to their first page. */
export function screenFor(role: Role, read: Outcome, write: Outcome): Row {
  const others = { ...HOME, anonymous: "/login", banned: "/login" };
  return row({ ...others, [role]: read }, { ...others, [role]: write });
}

const REFUSED = {
  anonymous: "/login?redirect=HERE",
  banned: "/login?redirect=HERE",
  newcomer: "/onboarding?redirect=HERE",
  leaving: "/restore?redirect=HERE",
  "terms due": "/terms?redirect=HERE",
};

/** A screen for signed-in users. During an impersonation the forms of some are closed, and lead back. */
export function appScreen(read: Outcome, write: Outcome, others: Others = {}): Row {
  return row({ ...all(read), ...REFUSED }, { ...all(write), ...REFUSED }, others);
}

/** The closed form of a screen, during an impersonation. */
export function closed(path: string): Others {
  return { write: { impersonated: path } };
}

/** A screen for managers. `others` are those without a permission, or whose proof is too old. */
export function managerScreen(read: Outcome, write: Outcome, others: Others = {}): Row {
  const office = (outcome: Outcome) => ({
    ...all(outcome),
    ...REFUSED,
    user: 403,
    impersonated: 403,
    "passkey to confirm": "/manager/passkey?next=HERE",
    "passkey to add": "/manager/passkey?next=HERE",
  });
  return row(office(read), office(write), others);
}

/** Where support has no permission to read. Nothing but a form answers 403 to its POST. */
export const NOT_SUPPORT: Others = { read: { support: 403 } };
export const NOT_SUPPORT_NOR_FORM: Others = { read: { support: 403 }, write: { support: 403 } };
export const ADMIN_ONLY: Others = {
  read: { support: 403, auditor: 403 },
  write: { support: 403, auditor: 403 },
};
/** Settings, which auditors read. */
export const READ_BY_AUDITOR: Others = {
  read: { support: 403 },
  write: { support: 403, auditor: 403 },
};

/** A file that needs a fresh proof, which leads back to the list. */
export function provedFile(list: string): Others {
  const stale = `/manager/account/confirm?next=${encodeURIComponent(list)}`;
  return { read: { support: 403, stale } };
}
