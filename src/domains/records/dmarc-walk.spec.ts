import { dmarcFacts, dmarcTargets, nextDmarcStep, type DmarcLookUp, type DmarcStep } from './dmarc-walk.js';
import type { Texts } from './texts.js';

/** Walks `_dmarc` texts given by domain; other domains have none. */
function walk(
  domain: string,
  world: Record<string, string | Texts>,
  exists: boolean | null = true,
): { asked: string[]; end: Exclude<DmarcStep, { kind: 'ask' }> } {
  const lookUps: DmarcLookUp[] = [];
  for (;;) {
    const step = nextDmarcStep(domain, lookUps, exists);
    if (step.kind !== 'ask') return { asked: lookUps.map((lookUp) => lookUp.domain), end: step };
    expect(step.name).toBe(`_dmarc.${step.domain}`);
    const texts = step.domain in world ? (world[step.domain] ?? null) : [];
    lookUps.push({ domain: step.domain, texts: typeof texts === 'string' ? [texts] : texts });
  }
}

const REJECT = 'v=DMARC1; p=reject; sp=quarantine; np=none';

describe('nextDmarcStep', () => {
  it('stops at a record of the domain itself, and uses its p', () => {
    const { asked, end } = walk('mail.example.com', { 'mail.example.com': REJECT, 'example.com': 'v=DMARC1; p=none' });
    expect(asked).toEqual(['mail.example.com']);
    expect(end).toMatchObject({ kind: 'applies', at: 'mail.example.com', policy: 'reject' });
  });

  it('climbs to the top, and uses sp of the highest record', () => {
    const world = { 'b.example.com': 'v=DMARC1; p=none', 'example.com': REJECT };
    const { asked, end } = walk('a.b.example.com', world);
    expect(asked).toEqual(['a.b.example.com', 'b.example.com', 'example.com', 'com']);
    expect(end).toMatchObject({ at: 'example.com', policy: 'quarantine' });
  });

  it('uses np for a domain that does not exist, and p without np and sp', () => {
    expect(walk('gone.example.com', { 'example.com': REJECT }, false).end).toMatchObject({ policy: 'none' });
    expect(walk('gone.example.com', { 'example.com': 'v=DMARC1; p=reject' }, false).end).toMatchObject({
      policy: 'reject',
    });
  });

  it('leaves the policy open if it depends on whether the domain exists, and nobody knows', () => {
    expect(walk('a.example.com', { 'example.com': REJECT }, null).end).toEqual({ kind: 'unknown' });
    const same = 'v=DMARC1; p=none; sp=reject; np=reject';
    expect(walk('a.example.com', { 'example.com': same }, null).end).toMatchObject({ policy: 'reject' });
    expect(walk('example.com', { 'example.com': REJECT }, null).end).toMatchObject({ policy: 'reject' });
  });

  it('stops at psd=n, which marks the organisational domain', () => {
    const world = { 'dept.example.com': 'v=DMARC1; p=reject; psd=n', 'example.com': 'v=DMARC1; p=none' };
    const { asked, end } = walk('a.dept.example.com', world);
    expect(asked).not.toContain('example.com');
    expect(end).toMatchObject({ at: 'dept.example.com', policy: 'reject' });
  });

  it('prefers the record right below a public suffix to the suffix, and the suffix to deeper ones', () => {
    const suffix = 'v=DMARC1; p=reject; psd=y';
    const below = { 'agency.gov': 'v=DMARC1; p=none', gov: suffix };
    expect(walk('a.b.agency.gov', below).end).toMatchObject({ at: 'agency.gov', policy: 'none' });
    const furtherBelow = { 'b.agency.gov': 'v=DMARC1; p=none', gov: suffix };
    expect(walk('a.b.agency.gov', furtherBelow).end).toMatchObject({ at: 'gov', policy: 'reject' });
    expect(walk('agency.gov', { gov: suffix }).end).toMatchObject({ at: 'gov', policy: 'reject' });
  });

  it('skips names with several records', () => {
    expect(walk('a.example.com', { 'a.example.com': [REJECT, REJECT], 'example.com': REJECT }).end).toMatchObject({
      at: 'example.com',
    });
  });

  it('finds no DMARC if the record that applies has neither a policy nor a report address', () => {
    expect(walk('example.com', { 'example.com': 'v=DMARC1; p=rejct', com: REJECT }).end).toEqual({ kind: 'none' });
    expect(walk('example.com', {}).end).toEqual({ kind: 'none' });
  });

  it('leaves the result open after a failed look-up, and asks no further', () => {
    expect(walk('example.com', { 'example.com': null })).toEqual({ asked: ['example.com'], end: { kind: 'unknown' } });
    expect(walk('a.example.com', { 'example.com': null }).end).toEqual({ kind: 'unknown' });
    expect(walk('example.com', { com: null }).end).toEqual({ kind: 'unknown' });
    expect(walk('a.b.example.com', { 'b.example.com': REJECT, 'example.com': null }).end).toEqual({ kind: 'unknown' });
  });

  it('finds a record below a broken top-level domain', () => {
    expect(walk('a.example.com', { 'example.com': REJECT, com: null }).end).toMatchObject({ at: 'example.com' });
  });
});

describe('dmarcTargets', () => {
  it('are at most eight: the domain, then its last seven labels', () => {
    expect(dmarcTargets('a.b.c.d.e.f.g.h.i.j.mail.example.com')).toEqual([
      'a.b.c.d.e.f.g.h.i.j.mail.example.com',
      'g.h.i.j.mail.example.com',
      'h.i.j.mail.example.com',
      'i.j.mail.example.com',
      'j.mail.example.com',
      'mail.example.com',
      'example.com',
      'com',
    ]);
    expect(dmarcTargets('a.b.c.d.e.f.example.com')).toHaveLength(8);
    expect(dmarcTargets('com')).toEqual(['com']);
  });
});

describe('dmarcFacts', () => {
  it('are null when unknown, and have no policy without a record', () => {
    expect(dmarcFacts({ kind: 'unknown' })).toEqual({ dmarc: null, dmarcPolicy: null });
    expect(dmarcFacts({ kind: 'none' })).toEqual({ dmarc: false, dmarcPolicy: null });
    expect(dmarcFacts(walk('example.com', { 'example.com': REJECT }).end)).toEqual({
      dmarc: true,
      dmarcPolicy: 'reject',
    });
  });
});
