import { apiUnderTest } from './api-under-test.js';
import type { BenchAccount } from './bench-accounts.js';
import { ROOMY_DOMAIN } from './bench-world.js';
import type { Request } from './http-load.js';

const AT_ONCE = 10;
const CRAWLED_WITHIN_MS = 60_000;

/** Makes cached checks of probed addresses; returns the addresses and the answer for one of them. */
export async function recordedAddresses(
  key: string,
  count: number,
): Promise<{ readonly emails: readonly string[]; readonly answer: string }> {
  const emails = Array.from({ length: count }, (_, nth) => `mailbox${nth}@${ROOMY_DOMAIN}`);
  for (let next = 0; next < count; next += AT_ONCE) {
    await Promise.all(emails.slice(next, next + AT_ONCE).map((email) => single(key, email)));
  }
  const until = performance.now() + CRAWLED_WITHIN_MS;
  for (;;) {
    const answer = await single(key, emails[0]!);
    const { freshness, domain } = JSON.parse(answer) as { freshness: string; domain: object | null };
    if (freshness !== 'cached_recent') throw new Error(`an address on record is answered ${freshness}`);
    // The complete answer, with the domain's crawled facts.
    if (domain !== null) return { emails, answer };
    if (performance.now() > until) throw new Error('the domain was not crawled');
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** One request per address and account, in turn. */
export function requestsOf(accounts: readonly BenchAccount[], emails: readonly string[]): Request[] {
  const count = accounts.length * emails.length;
  return Array.from({ length: count }, (_, nth) => ({
    headers: { 'x-api-key': accounts[nth % accounts.length]!.key },
    body: JSON.stringify({ email: emails[Math.floor(nth / accounts.length) % emails.length] }),
  }));
}

async function single(key: string, email: string): Promise<string> {
  const { url } = apiUnderTest();
  const response = await fetch(new URL('/v1/verify/single', url), {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  const answer = await response.text();
  if (response.status !== 200) throw new Error(`the API answers ${response.status}`);
  return answer;
}
