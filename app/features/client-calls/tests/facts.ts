import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";

export const facts = {
  refusedAtOnce: [[401, "/api/auth/organization/create"]],
  changes: {
    "the active organization of a session": ["/api/auth/organization/set-active"],
    "the own account": [
      "/api/auth/change-email",
      "/api/auth/email-otp/change-email",
      "/api/auth/email-otp/request-email-change",
      "/api/auth/passkey/delete-passkey",
      "/api/auth/passkey/update-passkey",
      "/api/auth/revoke-session",
      "/api/auth/unlink-account",
      "/api/auth/update-user",
    ],
    "an organization": [
      "/api/auth/organization/accept-invitation",
      "/api/auth/organization/cancel-invitation",
      "/api/auth/organization/create",
      "/api/auth/organization/delete",
      "/api/auth/organization/invite-member",
      "/api/auth/organization/leave",
      "/api/auth/organization/reject-invitation",
      "/api/auth/organization/remove-member",
      "/api/auth/organization/update",
      "/api/auth/organization/update-member-role",
    ],
    "the back-office": [
      "/api/auth/admin/ban-user",
      "/api/auth/admin/create-user",
      "/api/auth/admin/impersonate-user",
      "/api/auth/admin/remove-user",
      "/api/auth/admin/revoke-user-session",
      "/api/auth/admin/revoke-user-sessions",
      "/api/auth/admin/set-role",
      "/api/auth/admin/unban-user",
      "/api/auth/admin/update-user",
    ],
    nothing: [
      "/api/auth/admin/has-permission",
      "/api/auth/admin/list-user-sessions",
      "/api/auth/organization/check-slug",
      "/api/auth/organization/has-permission",
    ],
  },
  changedByOwner: ["/api/auth/organization/update", "/api/auth/organization/delete"],
} satisfies FeatureTests;
