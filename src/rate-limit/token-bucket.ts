/** An empty bucket is full again after this time, whatever its size (decisions 3.1). */
export const WINDOW_MS = 60_000;
/**
 * Parts of one token: one per millisecond of the window. A bucket of `capacity` tokens then regains `capacity` parts
 * per millisecond, all arithmetic is in whole numbers, and the Lua script and this file agree to the last digit.
 */
export const PARTS_PER_TOKEN = 60_000;

/** A bucket at one moment. An unknown bucket is full. */
export interface Bucket {
  /**
   * Missing parts. Stored instead of present ones, so that a change of plan changes the limit and keeps the used
   * tokens.
   */
  readonly missing: number;
  /** Whole milliseconds since 1970. */
  readonly at: number;
}

/** The result of a request for one token (decisions 3.2). */
export interface TokenDecision {
  readonly allowed: boolean;
  /** Tokens per minute, and size of the bucket. */
  readonly limit: number;
  /** Whole tokens left. */
  readonly remaining: number;
  /** Unix second at which the bucket is full again. */
  readonly resetAt: number;
  /** Seconds until the next token, at least 1. */
  readonly nextTokenInSeconds: number;
}

/** Refills a bucket up to a time. A clock that went back refills nothing, and counting continues from there. */
export function refill(bucket: Bucket | undefined, now: number, capacity: number): Bucket {
  if (bucket === undefined) return { missing: 0, at: now };
  const missing = Math.min(bucket.missing, capacity * PARTS_PER_TOKEN);
  const regained = Math.max(0, now - bucket.at) * capacity;
  return { missing: Math.max(0, missing - regained), at: now };
}

/**
 * Takes one token if there is one. `token-script.ts` has the same rule in Lua; tests compare the two.
 * @param capacity whole tokens per minute
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

/** The values for the caller, from the bucket that `takeToken` returned. */
export function describeDecision(allowed: boolean, { missing, at }: Bucket, capacity: number): TokenDecision {
  // A plan without requests regains nothing: refuse the caller for the whole window.
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
