import type { Read } from "../../db/read.server.ts";
import type { MessageKey } from "../../i18n/message-key.ts";

/** A link on the login page, for people who cannot create an account. */
export type LoginLink = { to: string; label: MessageKey };

/** The link of a feature. The settings of the login page are read with whether it is offered now. */
export type LoginOffer = LoginLink & { isOffered: Read<boolean> };
