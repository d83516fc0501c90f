import type { RouterContextProvider } from "react-router";
import type { UserServices } from "../../features/users/user-mail.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { getCurrentSession } from "../../middleware/current-user.ts";
import { languageContext } from "../../middleware/locale.ts";
import { servicesContext } from "../../runtime/services-context.ts";

/** Returns the services for a manager's change of a user. Only below `requireUser`. */
export function userServices(context: Readonly<RouterContextProvider>): UserServices {
  const { db, mailer, config } = context.get(servicesContext);
  const { user } = getCurrentSession(context);
  return {
    db,
    mailer,
    baseUrl: config.baseUrl,
    manager: user.name || user.email,
    language: context.get(languageContext),
    afterAnswer: context.get(requestContext).afterAnswer,
  };
}
