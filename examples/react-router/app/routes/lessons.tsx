import { redirectDocument } from "react-router";
import { askedContext, gatehouseContext } from "../contexts.ts";
import type { Route } from "./+types/lessons.ts";

/** A page for people who are signed in. The product says which of its screens comes first for others. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const asked = context.get(askedContext);
  if (!asked.ok) {
    if (asked.screen === null) throw new Response("Try again in a moment", { status: 503 });
    throw redirectDocument(asked.screen);
  }
  const who = { url: request.url, headers: request.headers };
  const mayInvite = await context
    .get(gatehouseContext)
    .can(who, ["invitation", "create"], "active");
  return { name: asked.current.user.name, mayInvite };
}

export default function Lessons({ loaderData: { name, mayInvite } }: Route.ComponentProps) {
  return (
    <p>
      Lessons of {name}.{mayInvite && " You may invite others."}
    </p>
  );
}
