/** Stands in for better-auth's database in memory: people are kept in D1. */
export function memoryAdapter(): never {
  throw new Error("This product keeps its data in D1");
}
