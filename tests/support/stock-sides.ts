import { newBrowser } from "./client.ts";
import { anOrganization } from "./organizations.ts";
import { aSignedInUser, type Person } from "./people.ts";
import { type Exchange, type StockClient, stockClientFor } from "./stock-client.ts";
import type { Gatehouse } from "./worker.ts";

export const UNSIGNED = "401 UNAUTHORIZED";

/** A person with better-auth's client and what it sent. */
export type StockSide = {
  user: Person;
  client: StockClient;
  exchanges: Exchange[];
  browser: ReturnType<typeof newBrowser>;
};

export type Outcome = {
  data: unknown;
  error: null | { status: number; code?: string; message?: string };
};
/** Does a call, with the side whose exchanges are read. */
type Case = () => Promise<{ by: StockSide; result: PromiseLike<Outcome> | Outcome }>;
/** A good case, a bad one, and the refusal of the bad one. */
export type StockCases = readonly [good: Case, bad: Case, refusal: string];

export type StockSides = ReturnType<typeof stockSides>;

/** Returns functions that make people with better-auth's client. */
export function stockSides(gatehouse: Gatehouse) {
  function sideOf({ user, browser }: Pick<StockSide, "user" | "browser">): StockSide {
    const exchanges: Exchange[] = [];
    const client = stockClientFor(gatehouse, browser, (exchange) => exchanges.push(exchange));
    return { user, browser, exchanges, client };
  }

  async function someone(overrides: Partial<Person> = {}): Promise<StockSide> {
    return sideOf(await aSignedInUser(gatehouse, overrides));
  }

  async function anOwner() {
    const owner = await someone();
    const member = await someone();
    const parts = { owner: owner.user, members: [member.user], invitations: [{}] };
    const built = await anOrganization(gatehouse, {}, parts);
    const [, theirs] = built.members;
    const [invitation] = built.invitations;
    if (!theirs || !invitation) throw new Error("The organization is not complete");
    return { owner, member, theirs, invitation, organizationId: built.organization.id };
  }

  function anonymous() {
    const user = { id: "nobody-has-this" } as Person;
    return sideOf({ user, browser: newBrowser(gatehouse) });
  }

  async function by(side: StockSide, call: (client: StockClient) => PromiseLike<Outcome>) {
    return { by: side, result: call(side.client) };
  }

  return { gatehouse, sideOf, someone, anOwner, anonymous, by };
}
