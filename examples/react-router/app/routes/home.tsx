import { Link } from "react-router";
import { askedContext } from "../contexts.ts";
import type { Route } from "./+types/home.ts";

/** A page for everybody, which knows who is signed in. */
export function loader({ context }: Route.LoaderArgs) {
  const asked = context.get(askedContext);
  const isSignedOut = !asked.ok && asked.code === "UNAUTHORIZED";
  return { name: asked.current?.user.name, screen: asked.screen, isSignedOut };
}

export default function Home({ loaderData }: Route.ComponentProps) {
  const { name, screen, isSignedOut } = loaderData;
  if (name !== undefined) {
    return (
      <p>
        Welcome back, {name}. <Link to="/lessons">Your lessons</Link>
      </p>
    );
  }
  if (screen === null) return <p>Try again in a moment.</p>;
  return <a href={screen}>{isSignedOut ? "Sign in" : "Continue"}</a>;
}
