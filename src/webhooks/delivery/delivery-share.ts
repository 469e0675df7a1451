const PER_ENDPOINT = 10;
/** At once, over all processes. */
const PER_ACCOUNT = 20;

/**
 * How many deliveries to one endpoint may be under way, so that a slow one delays nobody else's: the endpoints of an
 * account share what it may have, whether the others have something to send or not.
 * @param endpoints of the account that are on
 */
export function deliveryShare(endpoints: number): number {
  return Math.min(PER_ENDPOINT, Math.floor(PER_ACCOUNT / Math.max(1, endpoints)));
}
