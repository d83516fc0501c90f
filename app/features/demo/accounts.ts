/** Sample accounts that a demonstration's login screen offers. */
export const DEMO_ACCOUNTS = {
  user: { name: "Neema Otieno", email: "user@example.com", role: "user" },
  manager: { name: "Amélie Rousseau", email: "manager@example.com", role: "admin" },
} as const;

/** True for the e-mail of a sample account: only its codes are shown on the screen. */
export function isDemoAccount(email: string): boolean {
  return Object.values(DEMO_ACCOUNTS).some((account) => account.email === email);
}
