import type { SessionsOutcome } from '../../engine/smtp/politeness.js';
import { afterOutcome, NO_REFUSALS, recall, type ProviderRefusals, type Refusals } from './refusals.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
type Kind = SessionsOutcome['kind'];

/** One provider with its domains and its own clock. */
class ProviderUnderTest {
  now = 1_000_000;
  provider: Refusals = NO_REFUSALS;
  private readonly domains = new Map<string, Refusals>();

  constructor(private readonly providerStrikes = 3) {}

  says(kind: Kind, domain = 'example.com', retryAfterSeconds: number | null = null): void {
    const before: ProviderRefusals = { provider: recall(this.provider, this.now), domain: this.of(domain) };
    const { providerStrikes } = this;
    const options = { providerStrikes, firstPauseMs: MINUTE };
    const after = afterOutcome(before, { kind, retryAfterSeconds }, options, this.now);
    this.provider = after.provider;
    this.domains.set(domain, after.domain);
  }

  of(domain: string): Refusals {
    return recall(this.domains.get(domain), this.now);
  }

  /** Rest of the pause, ms. */
  pause(domain?: string): number {
    const refusals = domain === undefined ? recall(this.provider, this.now) : this.of(domain);
    return Math.max(0, refusals.untilMs - this.now);
  }

  pass(ms: number): void {
    this.now += ms;
  }
}

describe('afterOutcome', () => {
  it('backs off from a domain at once when the session was refused', () => {
    const host = new ProviderUnderTest();
    host.says('session_refused');
    expect(host.pause('example.com')).toBe(MINUTE);
  });

  it('doubles the pause with each further refusal, up to an hour', () => {
    const host = new ProviderUnderTest();
    const pauses = Array.from({ length: 9 }, () => {
      host.says('session_refused');
      const pause = host.pause('example.com');
      host.pass(pause);
      return pause / MINUTE;
    });
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('waits for three refusals of recipients in a row: one may be a rule of that mailbox', () => {
    const host = new ProviderUnderTest();
    host.says('recipient_refused');
    host.says('recipient_refused');
    expect(host.pause('example.com')).toBe(0);
    host.says('recipient_refused');
    expect(host.pause('example.com')).toBe(MINUTE);
  });

  it.each<[number, number]>([
    [30, MINUTE],
    [300, 5 * MINUTE],
    [86_400, HOUR],
  ])('pauses as long as the host asks (%s s), within bounds', (seconds, pause) => {
    const host = new ProviderUnderTest();
    host.says('recipient_refused', 'example.com', seconds);
    expect(host.pause('example.com')).toBe(pause);
  });

  it('resets when a recipient was answered', () => {
    const host = new ProviderUnderTest();
    host.says('session_refused');
    host.pass(MINUTE);
    host.says('served');
    host.says('session_refused');
    expect(host.pause('example.com')).toBe(MINUTE);
  });

  it('ignores sessions that began before the pause', () => {
    const host = new ProviderUnderTest();
    host.says('session_refused');
    host.says('served');
    expect(host.pause('example.com')).toBe(MINUTE);
    host.says('session_refused');
    host.says('session_refused');
    expect(host.pause('example.com')).toBe(MINUTE);
    host.pass(MINUTE);
    host.says('session_refused');
    expect(host.pause('example.com')).toBe(2 * MINUTE);
  });

  it('never backs off from a provider because of one domain', () => {
    const host = new ProviderUnderTest();
    for (let times = 0; times < 20; times += 1) {
      host.says('recipient_refused', 'strict.example');
      host.says('session_refused', 'strict.example');
      expect(host.pause()).toBe(0);
      host.pass(host.pause('strict.example'));
    }
  });

  it('backs off from the provider when three domains in a row were refused', () => {
    const host = new ProviderUnderTest();
    host.says('recipient_refused', 'a.example');
    host.says('recipient_refused', 'b.example');
    expect(host.pause()).toBe(0);
    host.says('recipient_refused', 'c.example');
    expect(host.pause()).toBe(MINUTE);
    host.pass(MINUTE);
    host.says('session_refused', 'd.example');
    expect(host.pause()).toBe(2 * MINUTE);
  });

  it('does not count domains that were refused before another was answered', () => {
    const host = new ProviderUnderTest();
    host.says('session_refused', 'a.example');
    host.says('session_refused', 'b.example');
    host.says('served', 'c.example');
    host.says('session_refused', 'd.example');
    expect(host.pause()).toBe(0);
  });

  it('can be configured never to back off from a whole provider', () => {
    const host = new ProviderUnderTest(Number.POSITIVE_INFINITY);
    for (let times = 0; times < 50; times += 1) host.says('session_refused', `d${times}.example`);
    expect(host.pause()).toBe(0);
    expect(host.pause('d7.example')).toBe(MINUTE);
  });

  it('forgets an hour after the pause', () => {
    const host = new ProviderUnderTest();
    host.says('session_refused');
    host.pass(MINUTE + HOUR);
    host.says('session_refused');
    expect(host.pause('example.com')).toBe(MINUTE);
  });

  it('ignores sessions without an answer', () => {
    const host = new ProviderUnderTest();
    for (let times = 0; times < 50; times += 1) host.says('no_answer', `d${times}.example`);
    expect(host.pause()).toBe(0);
    expect(host.pause('d7.example')).toBe(0);
  });
});
