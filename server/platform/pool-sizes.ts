/** Connections for the work of tenants. */
export const mostConnections = 20;
/** In addition to those: for the sessions and tokens of requests. */
export const mostLookUps = 4;
/** In addition to those: for looking for due work. */
export const mostInBackground = 3;

/** Shares of a pool's connections. The rest is for data of no tenant. */
export function sharesOf(connections: number) {
  const partOf = (part: number) =>
    Math.max(Math.floor(connections * part), Math.min(2, connections));
  return {
    atOnce: partOf(0.8),
    perTenant: partOf(0.4),
    perActor: partOf(0.2),
    urgentAtOnce: partOf(0.3),
    outsideAtOnce: partOf(0.2),
    accountsAtOnce: partOf(0.3),
  };
}
