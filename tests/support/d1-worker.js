// Runs the statements of `d1-client.ts` on the database whose binding the URL names, inside workerd. Not bundled: workerd
// loads this file as it is.
export default {
  async fetch(request, env) {
    try {
      const database = env[new URL(request.url).pathname.slice(1)];
      return Response.json({ result: await run(database, await request.json()) });
    } catch (error) {
      return Response.json({ error: error.message });
    }
  },
};

function run(database, { method, sql, statements }) {
  if (method === "exec") return database.exec(sql);
  const prepared = statements.map(({ query, values }) => database.prepare(query).bind(...values));
  return method === "batch" ? database.batch(prepared) : prepared[0][method]();
}
