import { hydrated } from "./e2e.ts";
import { type Screen, signedIn, signedInWithSamples, type Visit } from "./visit.ts";

/** The palette and the help for keys. */
export const PALETTE_SCREENS: Screen[] = [
  { name: "palette", open: (visit) => openPalette(visit) },
  {
    name: "palette-app",
    async open(visit) {
      await signedIn(visit, "/app");
      await pressForPalette(visit);
    },
  },
  {
    name: "palette-found",
    async open(visit) {
      await openPalette(visit, "be");
      await visit.page.getByRole("group", { name: visit.t("search:groups.users") }).waitFor();
    },
  },
  {
    name: "palette-nothing",
    async open(visit) {
      const searchTerm = "nothing like this";
      await openPalette(visit, searchTerm);
      const text = visit.t("search:nothing", { searchTerm });
      await visit.page.getByRole("status").getByText(text).waitFor({ state: "attached" });
    },
  },
  {
    name: "palette-failed",
    async open(visit) {
      await visit.page.route("**/_server/**", (route) => route.fulfill({ status: 403 }));
      await openPalette(visit, "er");
      await visit.page.getByRole("button", { name: visit.t("common:actions.retry") }).waitFor();
    },
  },
  {
    name: "shortcuts",
    async open(visit) {
      await signedIn(visit, "/app");
      await hydrated(visit.page);
      await visit.page.keyboard.press("?");
      await visit.page.getByRole("term").first().waitFor();
    },
  },
];

async function openPalette(visit: Visit, term = ""): Promise<void> {
  await signedInWithSamples(visit, "/manager/dashboard");
  await pressForPalette(visit);
  await visit.page.getByRole("combobox", { name: visit.t("search:placeholder") }).fill(term);
}

async function pressForPalette({ page, t }: Visit): Promise<void> {
  await hydrated(page);
  await page.keyboard.press("Control+K");
  await page.getByRole("option", { name: t("search:actions.signOut") }).waitFor();
}
