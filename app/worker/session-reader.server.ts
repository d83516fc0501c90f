import { href } from "react-router";
import type { Db } from "../db/db.server.ts";
import { type Placeholders, prepareBatch } from "../db/prepared-batch.server.ts";
import { selectSession } from "../features/auth/sessions/session-query.server.ts";
import {
  type OwnInvitation,
  type OwnOrganization,
  selectOwnInvitations,
  selectOwnOrganizations,
} from "../features/organizations/own-organizations.server.ts";
import { selectPasskeyCount } from "../features/passkeys/own-passkeys.server.ts";
import {
  type RecentRepositories,
  readRecentRepositories,
  selectRecentRepositories,
} from "../features/repositories/recent-repositories.server.ts";
import type { SettingDefaults } from "../features/site-settings/public-settings.server.ts";
import { termsVersionInForce } from "../features/site-settings/terms.server.ts";

/** What the navigation of an area shows about the user. */
type Shell = {
  organizations: OwnOrganization[];
  invitations: OwnInvitation[];
  /** Only on the home screen of the app. */
  home?: Home;
};

/** What the home screen of the app shows. */
type Home = { recent: RecentRepositories; hasPasskey: boolean };

export type SessionReader = ReturnType<typeof createSessionReader>;

/**
 * Returns a function that reads a session in one round trip: alone, or for a page of an area with what the navigation
 * shows. The home screen of the app adds its own data.
 */
export function createSessionReader(db: Db, settings: SettingDefaults) {
  const sessionOf = ({ token, now }: Placeholders<"token" | "now">) =>
    selectSession(db, token, now, termsVersionInForce(settings));
  const shellOf = (key: Placeholders<"token" | "now">) =>
    [
      sessionOf(key),
      selectOwnOrganizations(db, key.token),
      selectOwnInvitations(db, key.token, key.now),
    ] as const;
  const readSession = prepareBatch(db, ["token", "now"], (key) => [sessionOf(key)]);
  const readApp = prepareBatch(db, ["token", "now"], shellOf);
  const readHome = prepareBatch(db, ["token", "now"], (key) => [
    ...shellOf(key),
    selectPasskeyCount(db, key.token),
    ...selectRecentRepositories(db, key.token),
  ]);

  return async (page: { pathname: string; token: string; now: Date }) => {
    const pathname = page.pathname.replace(/\/$/, "");
    const isIn = (area: string) => pathname === area || pathname.startsWith(`${area}/`);
    const now = page.now.getTime();
    if (!isIn(href("/app")) && !isIn(href("/manager"))) {
      const [rows] = await readSession({ token: page.token, now });
      return { rows, beside: undefined };
    }
    const key = { token: page.token, now };
    const asShell = (organizations: OwnOrganization[], invitations: OwnInvitation[]): Shell => ({
      organizations,
      invitations,
    });

    if (pathname !== href("/app")) {
      const [rows, ...shell] = await readApp(key);
      return { rows, beside: asShell(...shell) };
    }
    const [rows, organizations, invitations, [own], ...recent] = await readHome(key);
    const home = {
      recent: readRecentRepositories(...recent),
      hasPasskey: own !== undefined && own.passkeys > 0,
    };
    return { rows, beside: { ...asShell(organizations, invitations), home } };
  };
}
