import type { Read } from "../../db/read.server.ts";
import type { MessageKey } from "../../i18n/message-key.ts";

/** A link on the login page, for people who cannot create an account. */
export type LoginLink = { to: string; label: MessageKey };

/** What a person signs in for, beside the site itself: another site that sent them. */
export type SignInPurpose = {
  name: string;
  /** A sentence with the `name`. */
  text: MessageKey;
  /** Leads back to what sent the person. */
  cancel: LoginLink;
};

/** The link of a feature. The settings of the login page are read with whether it is offered now. */
export type LoginOffer = LoginLink & { isOffered: Read<boolean> };
