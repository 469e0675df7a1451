/**
 * For browsers that get an answer of ours into their hands: it is data, never to be guessed at, run or framed. A page (the
 * reference at `/docs`) has a policy of its own, and keeps it. `Strict-Transport-Security` is the balancer's, where TLS ends.
 */
export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const;
