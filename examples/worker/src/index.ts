// A shop beside the product, at the same host. It has no sign-in: it asks the product who sent a request.
import type { Asked, Identity, SessionAnswer } from "../gatehouse.d.ts";

type Env = { GATEHOUSE: Identity };

const SHOP = "/app/shop";

export default {
  async fetch(request, env): Promise<Response> {
    // Not the request itself: its body would go along, and nothing here could read it.
    const who = { url: request.url, headers: request.headers };
    const asked = await env.GATEHOUSE.session(who);
    const response = await answer(who, env, asked);
    // The product extends a session that is in use, and the browser must know it.
    if (asked.setCookie) response.headers.append("Set-Cookie", asked.setCookie);
    return response;
  },
} satisfies ExportedHandler<Env>;

async function answer(who: Asked, env: Env, asked: SessionAnswer): Promise<Response> {
  const { pathname } = new URL(who.url);
  if (!asked.ok && asked.screen === null) return page(503, "Try again in a moment.");
  if (pathname === SHOP) return welcome(asked);

  // Everything else is for people who are signed in. The product says which of its screens comes first.
  if (!asked.ok) return redirect(asked.screen);
  if (pathname === `${SHOP}/orders`) {
    const mayRefund = await env.GATEHOUSE.can(who, ["organization", "update"], "active");
    const name = asked.current.user.name;
    return page(200, `Orders of ${name}.${mayRefund ? " You may refund them." : ""}`);
  }
  if (pathname === `${SHOP}/report`) {
    const isAllowed = await env.GATEHOUSE.can(who, ["user", "list"]);
    // Null means that the product cannot answer now, and lets nobody in either.
    return isAllowed ? page(200, "All customers.") : page(403, "The report is for managers.");
  }
  const [, id] = pathname.split(`${SHOP}/sellers/`);
  const seller = id ? await env.GATEHOUSE.user(id) : undefined;
  if (seller?.ok && seller.user) return page(200, `Sold by ${seller.user.name}.`);
  return seller?.ok === false ? page(503, "Try again in a moment.") : page(404, "Not here.");
}

function welcome(asked: SessionAnswer): Response {
  if (asked.ok) return page(200, `Welcome back, ${asked.current.user.name}.`);
  const label = asked.code === "UNAUTHORIZED" ? "Sign in" : "Continue";
  return page(200, "Welcome.", `<a href="${escapeHtml(asked.screen ?? "")}">${label}</a>`);
}

function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { Location: location } });
}

function page(status: number, text: string, html = ""): Response {
  return new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><p>${escapeHtml(text)}</p>${html}`,
    {
      status,
      headers: { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" },
    },
  );
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
