/** Sets an object's alarm, unless it rings before that anyway: work that came during a run sets it too. */
export async function ringBy(storage: DurableObjectStorage, at: number): Promise<void> {
  const alarm = await storage.getAlarm();
  if (alarm === null || alarm > at) await storage.setAlarm(at);
}
