/** Sample accounts that a demonstration's login screen offers. */
export const DEMO_ACCOUNTS = {
  user: { name: "Neema Otieno", email: "user@example.com", role: "user" },
  manager: { name: "Amélie Rousseau", email: "manager@example.com", role: "admin" },
} as const;
