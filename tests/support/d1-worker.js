// Runs the statements of `d1-client.ts` on the database, inside workerd. Not bundled: workerd loads this file as it is.
export default {
  async fetch(request, { DB }) {
    try {
      return Response.json({ result: await run(DB, await request.json()) });
    } catch (error) {
      return Response.json({ error: error.message });
    }
  },
};

function run(DB, { method, sql, statements }) {
  if (method === "exec") return DB.exec(sql);
  const prepared = statements.map(({ query, values }) => DB.prepare(query).bind(...values));
  return method === "batch" ? DB.batch(prepared) : prepared[0][method]();
}
