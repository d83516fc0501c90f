const PASSWORDS = "The product has no passwords.";
const TOKENS = "Tokens of identity providers stay in the database.";
const LINKS = "A code confirms this here, and no link does.";
const ROLES = "The roles of an organization are fixed.";

/** The endpoints of better-auth's client that stay closed, with the reason. They answer 404, like unknown ones. */
export const CLOSED_ENDPOINTS: Record<string, string> = {
  "/sign-up/email": PASSWORDS,
  "/sign-in/email": PASSWORDS,
  "/request-password-reset": PASSWORDS,
  "/reset-password": PASSWORDS,
  "/reset-password/:token": PASSWORDS,
  "/change-password": PASSWORDS,
  "/email-otp/request-password-reset": PASSWORDS,
  "/forget-password/email-otp": PASSWORDS,
  "/email-otp/reset-password": PASSWORDS,
  "/admin/set-user-password": PASSWORDS,

  "/get-access-token": TOKENS,
  "/refresh-token": TOKENS,
  "/account-info": `${TOKENS} The e-mail of a linked account is in /list-accounts.`,

  "/verify-email": LINKS,
  "/send-verification-email": LINKS,
  "/delete-user/callback": LINKS,

  "/email-otp/check-verification-otp":
    "A code is spent by what it confirms. A check beside that would be another place to guess codes.",
  "/update-session": "No field of a session is the client's to set.",

  "/organization/create-role": ROLES,
  "/organization/update-role": ROLES,
  "/organization/delete-role": ROLES,
  "/organization/list-roles": ROLES,
  "/organization/get-role": ROLES,
};
