import type { RouterContextProvider } from "react-router";
import { deletePicture } from "../features/avatars/picture-store.server.ts";
import { requestContext } from "../http/request-context.ts";
import { servicesContext } from "../runtime/services-context.ts";
import { getCurrentSession } from "./current-user.ts";
import { languageContext } from "./locale.ts";

/** Returns the services for a change that also sends a mail. Only below `requireUser`. */
export function mailServices(context: Readonly<RouterContextProvider>) {
  const services = context.get(servicesContext);
  const { db, mailer, config, acceptsEmail, erasure, endAccess, avatars } = services;
  const { user } = getCurrentSession(context);
  const { afterAnswer, timeZone } = context.get(requestContext);
  return {
    db,
    mailer,
    baseUrl: config.baseUrl,
    plan: config.plan,
    adminEmails: config.adminEmails,
    sender: user.name || user.email,
    acceptsEmail,
    prepareErasure: erasure.prepare,
    endAccess,
    deletePicture: (file: string) => deletePicture(avatars, "avatar", file),
    language: context.get(languageContext),
    afterAnswer,
    timeZone,
  };
}
