// A worker beside the product that asks it what the URL says, such as `/app/asking/can?args=[["user","list"]]`, and answers what it
// was told. The request is the first argument, but of `user`. Not bundled: workerd loads this file as it is.
export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    const name = pathname.split("/").at(-1);
    const args = JSON.parse(searchParams.get("args") || "[]");
    const who = { url: searchParams.get("url") ?? request.url, headers: request.headers };
    const answer = await env.GATEHOUSE[name](...(name === "user" ? args : [who, ...args]));
    // A Worker reads its own body after it has asked.
    const body = searchParams.has("body") ? { body: await request.text() } : {};
    return Response.json(typeof answer === "object" && answer ? { ...answer, ...body } : answer);
  },
};
