import { and, eq, not, sql } from "drizzle-orm";
import { href } from "react-router";
import type { Db } from "../../db/db.server.ts";
import type { SignInPurpose } from "../site-settings/login-offer.ts";
import { formSourceOf, readAppRequest } from "./app-request.ts";
import { isClosed } from "./consents.server.ts";
import { PROVIDER } from "./provider-paths.ts";
import { oauthClient, oauthRegistration } from "./tables.server.ts";

/**
 * Returns the app that a person signs in to who then goes on to a page; undefined for other pages. One
 * that no manager of the site has named is called by where it is.
 */
export async function findSignInPurpose(db: Db, page: string): Promise<SignInPurpose | undefined> {
  const { pathname, searchParams } = new URL(page, "https://gatehouse.invalid");
  if (pathname !== href("/app/connect")) return undefined;
  const { clientId, search, redirectUri } = readAppRequest(searchParams);
  const [app] = await db
    .select({
      name: oauthClient.name,
      isNamedHere: sql<0 | 1>`${oauthClient.organizationId} IS NULL AND NOT EXISTS (
        SELECT 1 FROM ${oauthRegistration} WHERE ${oauthRegistration.clientId} = ${oauthClient.clientId}
      )`,
    })
    .from(oauthClient)
    .where(
      and(eq(oauthClient.clientId, clientId), eq(oauthClient.disabled, false), not(isClosed())),
    );
  return (
    app && {
      name: app.isNamedHere === 1 ? app.name : (formSourceOf(redirectUri) ?? ""),
      text: "login:connectedApp.to",
      cancel: { to: `${PROVIDER.cancel}?${search}`, label: "login:connectedApp.cancel" },
    }
  );
}
