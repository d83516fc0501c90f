import { Link } from "react-router";
import { askedContext } from "../contexts.ts";
import type { Route } from "./+types/home.ts";

/** A page for everybody, which knows who is signed in. */
export function loader({ context }: Route.LoaderArgs) {
  const { current, screen } = context.get(askedContext);
  return { name: current?.user.name, screen };
}

export default function Home({ loaderData: { name, screen } }: Route.ComponentProps) {
  if (name !== undefined) {
    return (
      <p>
        Welcome back, {name}. <Link to="/lessons">Your lessons</Link>
      </p>
    );
  }
  return screen === null ? <p>Try again in a moment.</p> : <a href={screen}>Sign in</a>;
}
