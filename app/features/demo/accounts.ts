/** The accounts that the login screen of a demonstration offers; part of its sample data. */
export const DEMO_ACCOUNTS = {
  user: { name: "Neema Otieno", email: "user@example.com", role: "user" },
  manager: { name: "Amélie Rousseau", email: "manager@example.com", role: "admin" },
} as const;
