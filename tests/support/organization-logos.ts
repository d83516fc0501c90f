import { expect } from "vitest";
import { anOrganization } from "./organizations.ts";
import { aSignedInUser } from "./people.ts";
import { uploadPicture } from "./pictures.ts";
import type { Gatehouse } from "./worker.ts";

/** Path of the screen that changes an organization's logo. */
export function logoPath({ slug }: { slug: string }): string {
  return `/app/organizations/${slug}/logo`;
}

/** What the tests of logos make and read. */
export function logosOf(gatehouse: Gatehouse) {
  async function logoOf({ id }: { id: string }, { d1 }: Pick<Gatehouse, "d1"> = gatehouse) {
    return d1.prepare("SELECT logo FROM organization WHERE id = ?").bind(id).first<string>("logo");
  }

  /** Makes an organization with its signed-in owner. */
  async function anOwner(of: Gatehouse = gatehouse) {
    const owner = await aSignedInUser(of);
    const { organization } = await anOrganization(of, {}, { owner: owner.user });
    return { ...owner, organization };
  }

  /** Makes an organization with a logo. */
  async function aLogo() {
    const owner = await anOwner();
    await uploadPicture(owner.browser, logoPath(owner.organization));
    const logo = await logoOf(owner.organization);
    if (!logo) throw new Error("The logo was not taken");
    return { ...owner, logo };
  }

  /** Waits until the bucket no longer holds a logo: it is deleted after the response. */
  async function expectGone(logo: string) {
    await expect
      .poll(async () => (await gatehouse.getBucket("AVATARS")).head(`logos/${logo}`))
      .toBeNull();
  }

  return { logoOf, anOwner, aLogo, expectGone };
}
