import { createContext, type MiddlewareFunction, type RouterContextProvider } from "react-router";
import { readOwnOrganizations } from "../features/organizations/own-organizations.server.ts";
import { requestContext } from "../http/request-context.ts";
import { servicesContext } from "../runtime/services-context.ts";
import { getCurrentSession } from "./current-user.ts";

type Shell = Awaited<ReturnType<typeof readShell>>;

const shellContext = createContext<() => Promise<Shell>>();

/** Provides what the navigation of the app shows, with one read for the layout's loader and the screen's. */
export const shell: MiddlewareFunction<Response> = ({ context }) => {
  let read: Promise<Shell> | undefined;
  context.set(shellContext, () => {
    read ??= readShell(context);
    return read;
  });
};

/** Returns the user's organizations, the active one, and the invitations that wait for an answer. */
export function getShell(context: Readonly<RouterContextProvider>): Promise<Shell> {
  return context.get(shellContext)();
}

async function readShell(context: Readonly<RouterContextProvider>) {
  const { user, session } = getCurrentSession(context);
  const { db } = context.get(servicesContext);
  const own = await readOwnOrganizations(db, user, context.get(requestContext).now());
  const activeOrganization = own.organizations.find(
    ({ id }) => id === session.activeOrganizationId,
  );
  return { ...own, activeOrganization };
}
