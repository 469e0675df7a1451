/**
 * For browsers that get an answer of ours into their hands: it is data, never to be guessed at, run or framed. A page (the
 * reference at `/docs`) has a policy of its own, and keeps it. `Strict-Transport-Security` is the balancer's, where TLS ends.
 * Names in small letters, as Fastify keeps them: others it would rewrite for each answer.
 */
export const SECURITY_HEADERS = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
] as const;
