import { Deadline } from '../../src/engine/deadline.js';
import { DnsResolver } from '../../src/engine/dns/dns-resolver.js';
import type { DnsAnswer, QueryOptions, RecordType } from '../../src/engine/dns/resolver.js';
import { itJudges, NO_MX, NOT_FOUND, REFUSED_US, VALID, type Behaviour } from './support/behaviour.js';
import { postfixTask } from './support/postfix.js';
import { describeWithServers } from './support/with-servers.js';

const MANY = Array.from({ length: 40 }, (_, i) => `mail-host-number-${i}-of-a-domain-that-has-too-many-of-them`);

/** The zone `test.`, beside the addresses of the servers. `gone.test` is nowhere. */
const RECORDS = [
  'no-mail MX 0 .',
  'nothing TXT "no mail, no address"',
  'dangling MX 10 mx.gone.test.',
  'half-dangling MX 10 mx.gone.test.',
  'half-dangling MX 20 mx.postfix.test.',
  'other-name CNAME postfix',
  'mx-other-name CNAME mx.postfix',
  'over-cname MX 10 mx-other-name',
  'xn--bcher-kva MX 10 mx.postfix',
  'many MX 10 mx.postfix',
  ...MANY.map((name) => `many MX 20 ${name}`),
  ...MANY.map((name) => `${name} A 127.0.0.1`),
  'lame NS ns.lame',
  'ns.lame A 127.31.53.53',
  'forged MX 10 mx.postfix',
];

const BEHAVIOURS: Behaviour[] = [
  { when: 'the domain does not exist', email: 'anna@gone.test', result: NO_MX },
  { when: 'the domain takes no mail (null MX)', email: 'anna@no-mail.test', result: NO_MX },
  { when: 'the domain has neither a mail host nor an address', email: 'anna@nothing.test', result: NO_MX },
  { when: 'the only mail host does not exist', email: 'anna@dangling.test', result: NO_MX },
  {
    when: 'the first mail host does not exist',
    email: 'anna@half-dangling.test',
    result: { ...VALID, mx_record: 'mx.postfix.test' },
  },
  {
    when: 'the domain is its own mail host (implicit MX)',
    email: 'anna@implicit.test',
    result: { ...VALID, mx: true, mx_record: 'implicit.test' },
  },
  { when: 'the domain is another name of one', email: 'anna@other-name.test', result: VALID },
  { when: 'the mail host is another name of one', email: 'anna@over-cname.test', result: VALID },
  { when: 'the domain is not ASCII', email: 'anna@bücher.test', result: VALID },
  { when: 'the answer is too long for UDP', email: 'anna@many.test', result: VALID },
  { when: 'the zone is signed', email: 'anna@secure.test', result: VALID },
  { when: 'the zone is signed and the mailbox unknown', email: 'nemo@secure.test', result: NOT_FOUND },
  { when: 'the signatures are broken', email: 'anna@forged.test', result: { ...REFUSED_US, mx: false } },
  { when: 'the name servers of the domain are down', email: 'anna@lame.test', result: { ...REFUSED_US, mx: false } },
];

describeWithServers(
  'Unbound in front of Knot',
  ({ places, tree }) => {
    const settings = {
      mydestination:
        'postfix.test, half-dangling.test, implicit.test, other-name.test, over-cname.test, xn--bcher-kva.test, many.test, secure.test',
      local_recipient_maps: 'inline:{ anna=x }',
      smtpd_relay_restrictions: 'reject_unauth_destination',
    };
    const at = ['mx.postfix.test', 'implicit.test'];
    const listeners = Object.fromEntries(at.map((name) => [places.endpoint(name), {}]));
    return {
      domains: { 'postfix.test': 'mx.postfix.test' },
      records: RECORDS,
      zones: { 'secure.test': ['@ MX 10 mx.postfix.test.'] },
      signed: ['secure.test'],
      brokenSignatures: [`forged.test. DS 12345 13 2 ${'0'.repeat(64)}`],
      servers: [{ task: postfixTask(tree, { settings, listeners }), at }],
    };
  },
  (bench) => {
    itJudges(BEHAVIOURS, () => bench().checks);

    let resolver: DnsResolver | undefined;
    beforeAll(() => {
      const { places } = bench().servers;
      const server = { address: places.address('resolver'), port: places.port };
      resolver = new DnsResolver({ servers: [server], timeoutMs: 3000, cacheEntries: 0 });
    });
    afterAll(() => resolver?.close());

    async function ask(name: string, type: RecordType, options: Partial<QueryOptions> = {}): Promise<DnsAnswer> {
      const deadline = Deadline.after(8000);
      const answer = await resolver!.query(name, type, { deadline, ...options });
      deadline.release();
      return answer;
    }

    it('authenticates answers of a signed zone, and no others', async () => {
      expect(await ask('secure.test', 'MX')).toMatchObject({ kind: 'records', authenticated: true });
      expect(await ask('no.secure.test', 'MX')).toMatchObject({ kind: 'nxdomain', authenticated: true });
      expect(await ask('postfix.test', 'MX')).toMatchObject({ kind: 'records', authenticated: false });
    });

    it('returns an answer with broken signatures only with checking disabled', async () => {
      expect(await ask('forged.test', 'MX')).toEqual({ kind: 'failure', why: 'servfail', blame: 'domain' });
      expect(await ask('forged.test', 'MX', { checkingDisabled: true })).toMatchObject({ kind: 'records' });
    });

    it('returns a long answer whole', async () => {
      const answer = await ask('many.test', 'MX');
      expect(answer.kind === 'records' && answer.records).toHaveLength(MANY.length + 1);
    });
  },
);
