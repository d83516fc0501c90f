/** Time zones that have no summer time, with the hours by which the reader's clock is ahead of UTC. */
export const CLOCKS = [
  ["Africa/Nairobi", 3],
  ["America/Phoenix", -7],
  ["Asia/Kolkata", 5.5],
  ["Asia/Kathmandu", 5.75],
  ["Pacific/Kiritimati", 14],
] as const;
