/** An empty bucket is full again after this long, whatever its size (decisions 3.1). */
export const WINDOW_MS = 60_000;
/**
 * Parts that make one token: as many as the window has milliseconds. So a bucket of `capacity` tokens regains `capacity`
 * parts every millisecond, the whole arithmetic is of whole numbers, and the script and this file agree to the last digit.
 */
export const PARTS_PER_TOKEN = 60_000;

/** A bucket at one moment. One that is not remembered is full. */
export interface Bucket {
  /**
   * Parts that are not there. Kept instead of those that are, so that another plan moves the limit and not what was
   * used of it.
   */
  readonly missing: number;
  /** Whole milliseconds since 1970. */
  readonly at: number;
}

/** What came of a request for one token (decisions 3.2). */
export interface TokenDecision {
  readonly allowed: boolean;
  /** Tokens a minute, and the size of the bucket. */
  readonly limit: number;
  /** Whole tokens left. */
  readonly remaining: number;
  /** Unix second at which the bucket is full again. */
  readonly resetAt: number;
  /** Seconds until there is one token more, at least 1. */
  readonly nextTokenInSeconds: number;
}

/** How a bucket looks some time later. A clock that went back refills nothing, and counts from there on. */
export function refill(bucket: Bucket | undefined, now: number, capacity: number): Bucket {
  if (bucket === undefined) return { missing: 0, at: now };
  const missing = Math.min(bucket.missing, capacity * PARTS_PER_TOKEN);
  const regained = Math.max(0, now - bucket.at) * capacity;
  return { missing: Math.max(0, missing - regained), at: now };
}

/**
 * Takes one token, if there is one. `token-script.ts` says the same in Lua; tests hold the two together.
 * @param capacity whole tokens a minute
 */
export function takeToken(
  bucket: Bucket | undefined,
  now: number,
  capacity: number,
): { readonly allowed: boolean; readonly bucket: Bucket } {
  const { missing } = refill(bucket, now, capacity);
  const allowed = missing + PARTS_PER_TOKEN <= capacity * PARTS_PER_TOKEN;
  return { allowed, bucket: { missing: allowed ? missing + PARTS_PER_TOKEN : missing, at: now } };
}

/** What the caller is told, from the bucket as `takeToken` left it. */
export function describeDecision(allowed: boolean, { missing, at }: Bucket, capacity: number): TokenDecision {
  // A plan without requests regains nothing: its caller is sent away for the whole window.
  const partsPerMs = Math.max(1, capacity);
  const present = capacity * PARTS_PER_TOKEN - missing;
  const fullInMs = Math.ceil(missing / partsPerMs);
  const nextInMs = Math.ceil((PARTS_PER_TOKEN - (present % PARTS_PER_TOKEN)) / partsPerMs);
  return {
    allowed,
    limit: capacity,
    remaining: Math.floor(present / PARTS_PER_TOKEN),
    resetAt: Math.ceil((at + fullInMs) / 1000),
    nextTokenInSeconds: Math.ceil(nextInMs / 1000),
  };
}
