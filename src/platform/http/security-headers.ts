/**
 * For browsers that show an answer: it is data, never to be sniffed, run or framed. A page (the reference at `/docs`)
 * sets its own policy and keeps it. The balancer sets `Strict-Transport-Security`, where TLS ends. Names are in lower
 * case, as Fastify keeps them; it would convert others for each answer.
 */
export const SECURITY_HEADERS = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
] as const;
