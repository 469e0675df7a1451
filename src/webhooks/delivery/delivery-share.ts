/** Deliveries of one endpoint at once, so that a slow one delays nobody else's. */
const PER_ENDPOINT = 10;
/** Deliveries of one account at once. */
const PER_ACCOUNT = 20;

/**
 * How many more deliveries an endpoint may have under way. Every idle endpoint of the account keeps a place.
 * @param endpoints of the account that are on
 * @param sending deliveries under way by endpoint
 */
export function deliveryShare(
  endpoint: string,
  endpoints: readonly string[],
  sending: ReadonlyMap<string, number>,
): number {
  const own = sending.get(endpoint) ?? 0;
  const all = [...sending.values()].reduce((sum, each) => sum + each, 0);
  const idle = endpoints.filter((other) => other !== endpoint && !sending.has(other)).length;
  return Math.max(0, Math.min(PER_ENDPOINT - own, PER_ACCOUNT - all - idle));
}
