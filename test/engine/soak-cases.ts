import type { Mode } from '../../src/engine/verdict/result.js';
import type { DnsData } from '../lab/dns/dns-data.js';
import { ACCEPTED, type MailHost } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds, type World } from '../lab/world.js';
import { DEMO_ADDRESSES, demoWorld } from '../lab/worlds/demo-world.js';
import { FURTHER_CASES, furtherCasesWorld, type Expectation } from '../lab/worlds/further-cases-world.js';

/** A check that is made again and again. */
export interface SoakCase {
  readonly id: string;
  readonly address: string;
  readonly mode: Mode;
  readonly expect: Expectation;
}

/** Cases that wait for a time limit of ours, or for a host that takes its time: they come less often than the others. */
export const SLOW_CASES: ReadonlySet<string> = new Set([
  'random-silent',
  'silent-at-recipient',
  'half-a-reply',
  'drops-packets',
  'over-dropped',
  'over-silent',
  'silent-zone',
  'slow-zone',
  'alice@silent.example',
  'alice@slow.example',
]);
/** One round in so many has the slow cases too. */
const SLOW_EVERY = 6;
/** Cases whose verdict depends on how much time there is, or has passed. */
const LEFT_OUT: ReadonlySet<string> = new Set(['greets-after-3-s', 'byte-by-byte', 'alice@greylisting.example']);

const UNKNOWN: Expectation = { result: 'unknown', deliverable: null };
const GREYLISTED: Expectation = { ...UNKNOWN, reason: 'greylisted' };
const knowsReal: MailHost = { recipients: { real: ACCEPTED } };

/** What only many checks at once meet, and what holds on to a connection. */
const ownHosts: Readonly<Record<string, { readonly host: MailHost; readonly expect: Expectation }>> = {
  'endless-greeting.test': { host: { greeting: { afterwards: 'endless' } }, expect: UNKNOWN },
  'endless-lines.test': {
    host: { ...knowsReal, ehlo: Array.from({ length: 400 }, (_, n) => `250-LINE${n}`) },
    expect: UNKNOWN,
  },
  'mixed-codes.test': { host: { otherRecipients: ['250-2.1.5 ok', '550 5.1.1 no'] }, expect: UNKNOWN },
  'never-past-greylisting.test': {
    host: { ...knowsReal, greylist: { afterMs: 3_600_000, answer: '451 4.7.1 Greylisted, try again later' } },
    expect: GREYLISTED,
  },
  'crowded.test': { host: { ...knowsReal, sessionLimit: 1 }, expect: { result: ['valid', 'unknown'] } },
  'resets-at-mail.test': { host: { ...knowsReal, mail: { lines: '250 ok', afterwards: 'reset' } }, expect: UNKNOWN },
};

const NOT_ADDRESSES = ['', 'no-at-sign', 'a@b', '@nobody.test', 'two@@signs.test', `${'x'.repeat(65)}@long.test`];

const enhanced: readonly SoakCase[] = [
  ...FURTHER_CASES.map(({ id, address, expect }) => {
    return { id, address, expect, mode: 'enhanced' as const };
  }),
  ...Object.entries(ownHosts).map(([domain, { expect }]) => {
    return { id: domain, address: `real@${domain}`, expect, mode: 'enhanced' as const };
  }),
  ...DEMO_ADDRESSES.map(({ address, mode, expect }) => ({ id: address, address, mode, expect })),
].filter(({ id }) => !LEFT_OUT.has(id));

/** The same without a random recipient, where the verdict does not need one. */
const standard: readonly SoakCase[] = enhanced.flatMap((one) => {
  if (one.mode !== 'enhanced' || one.expect['result'] === 'catch_all') return [];
  const { smtp_diagnosis: _, catch_all: __, ...expect } = one.expect;
  return [{ ...one, mode: 'standard' as const, expect }];
});

const quick: readonly SoakCase[] = [
  ...NOT_ADDRESSES.map((address) => {
    return { id: `"${address}"`, address, mode: 'quick' as const, expect: { result: 'invalid', reason: 'bad_syntax' } };
  }),
  ...['mx-is-alias', 'many', 'tls-broken'].map((id) => {
    const expect: Expectation = { result: 'unknown', reason: null, mx: true };
    return { id, address: `real@${id}.test`, mode: 'quick' as const, expect };
  }),
];

/** The checks of a soak: first to last, all kinds in turn, as many as asked for. */
export function soakCases(count: number): readonly SoakCase[] {
  const round = [...enhanced, ...standard, ...quick];
  const quickRound = round.filter(({ id }) => !SLOW_CASES.has(id));
  const cases: SoakCase[] = [];
  for (let turn = 0; cases.length < count; turn += 1) cases.push(...(turn % SLOW_EVERY === 0 ? round : quickRound));
  return cases.slice(0, count);
}

/** The internet of the soak. Nothing in its DNS may be kept, so that every check has to ask. */
export const soakWorld: World = withoutCaching(
  joinWorlds(
    demoWorld,
    furtherCasesWorld,
    ...Object.entries(ownHosts).map(([domain, { host }]) => domainWithHost(domain, host)),
  ),
);

function withoutCaching({ dns, hosts }: World): World {
  const uncached: DnsData = Object.fromEntries(
    Object.entries(dns).map(([name, entry]) => [name, { ...entry, ttl: 0 }]),
  );
  return { dns: uncached, hosts };
}
