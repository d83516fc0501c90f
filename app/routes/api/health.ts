/** Whether the worker runs, and which build of it. */
export function loader() {
  const { version, commit, time } = __BUILD__;
  return Response.json(
    { status: "ok", version, commit, built: time },
    { headers: { "X-Gatehouse-Version": version } },
  );
}
