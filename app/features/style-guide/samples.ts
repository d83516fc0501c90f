/** The time at which the specimens are seen. */
export const NOW = new Date("2026-11-21T23:17:00Z");

export const EMAIL = "lina@example.com";

export const NAMES = ["Lina Haddad", "زهراء الزين", "Zawadi Mwangi", "Amélie Étienne"];
