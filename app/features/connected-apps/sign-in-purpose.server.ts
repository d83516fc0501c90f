import { and, eq, not } from "drizzle-orm";
import { href } from "react-router";
import type { Db } from "../../db/db.server.ts";
import type { SignInPurpose } from "../site-settings/login-offer.ts";
import { readAppRequest } from "./app-request.ts";
import { isClosed } from "./consents.server.ts";
import { PROVIDER } from "./provider-paths.ts";
import { oauthClient } from "./tables.server.ts";

/** Returns the app that a person signs in to who then goes on to a page; undefined for other pages. */
export async function findSignInPurpose(db: Db, page: string): Promise<SignInPurpose | undefined> {
  const { pathname, searchParams } = new URL(page, "https://gatehouse.invalid");
  if (pathname !== href("/app/connect")) return undefined;
  const { clientId, search } = readAppRequest(searchParams);
  const [app] = await db
    .select({ name: oauthClient.name })
    .from(oauthClient)
    .where(
      and(eq(oauthClient.clientId, clientId), eq(oauthClient.disabled, false), not(isClosed())),
    );
  return (
    app && {
      name: app.name,
      text: "login:connectedApp.to",
      cancel: { to: `${PROVIDER.cancel}?${search}`, label: "login:connectedApp.cancel" },
    }
  );
}
