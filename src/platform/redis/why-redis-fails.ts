/** Why Redis does not let us in: a code of its own, or a certificate that Node does not trust. */
export type WhyRedisFails = { readonly refusal: string } | { readonly refusal: null; readonly isDistrusted: true };

/**
 * Reads the errors of a client that cannot connect. ioredis wraps what a cluster's node says, and quotes what a sentinel
 * says.
 * @returns null for everything else, such as a server that does not answer
 */
export function whyRedisFails(error: Error): WhyRedisFails | null {
  const { message } = (error as Error & { lastNodeError?: Error }).lastNodeError ?? error;
  if (/certificate/i.test(message)) return { refusal: null, isDistrusted: true };
  const refusal = /(?:^|Last error: )([A-Z]{2,}) /.exec(message)?.[1];
  return refusal === undefined ? null : { refusal };
}
