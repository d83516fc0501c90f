/** Answers that the worker runs, with its build. */
export function loader() {
  const { version, commit, time } = __BUILD__;
  return Response.json(
    { status: "ok", version, commit, built: time },
    { headers: { "X-Gatehouse-Version": version } },
  );
}
