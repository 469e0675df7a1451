import type { BulkProbeRequest } from '../../engine/smtp/bulk/bulk-prober.js';
import { silent } from '../../engine/smtp/judge-recipient.js';
import type { Prober, ProbeFacts, ProbeOutcome, ProbeRequest } from '../../engine/smtp/prober.js';
import type { SmtpStage } from '../../engine/smtp/reply.js';
import { PortAwareBulkProber, PortAwareProber } from './port-aware-prober.js';

const factsOf = (over: Partial<ProbeFacts>): ProbeOutcome => ({
  kind: 'facts',
  facts: {
    ...silent('connect', 'no_connection'),
    random: 'not_asked',
    host: 'mx.example.com',
    egress: 'direct/mx.example.net',
    ...over,
  },
});
const request = {} as ProbeRequest;
const probed = (outcome: ProbeOutcome, closed: readonly string[]): Promise<ProbeOutcome> =>
  new PortAwareProber(
    { probe: () => Promise.resolve(outcome) },
    { isPortClosed: (egress) => closed.includes(egress), isAnyPortClosed: closed.length > 0 },
  ).probe(request);

describe('PortAwareProber', () => {
  it('returns no facts about hosts that a closed port blocks', async () => {
    expect(await probed(factsOf({}), ['direct/mx.example.net'])).toMatchObject({ kind: 'unavailable' });
  });

  it('keeps the facts while the port is not known to be closed', async () => {
    expect(await probed(factsOf({}), [])).toEqual(factsOf({}));
    expect(await probed(factsOf({}), ['direct/other.example.net'])).toEqual(factsOf({}));
  });

  it.each<[string, Partial<ProbeFacts>]>([
    ['a host that answered', { stage: 'rcpt', ending: 'reply', code: 550 }],
    ['a host that let us in and fell silent', { stage: 'greeting', ending: 'timeout' }],
    ['a host that is left alone', { stage: 'none', ending: 'backed_off' }],
  ])('keeps the facts of %s, whatever the state of the port', async (_, over) => {
    expect(await probed(factsOf(over), ['direct/mx.example.net'])).toEqual(factsOf(over));
  });

  it.each<[boolean, SmtpStage[]]>([
    [true, ['greeting']],
    [false, ['connect', 'greeting']],
  ])('tells those who cannot wait of a connection that fails only if no port is closed: %s', async (isClosed, told) => {
    const heard: SmtpStage[] = [];
    const inner: Prober = {
      probe: async ({ onStage }) => {
        onStage?.('connect');
        onStage?.('greeting');
        return factsOf({});
      },
    };
    const monitor = { isPortClosed: () => isClosed, isAnyPortClosed: isClosed };
    await new PortAwareProber(inner, monitor).probe({ ...request, onStage: (stage) => void heard.push(stage) });
    expect(heard).toEqual(told);
  });
});

it('judges each of many recipients by its own egress', async () => {
  const outcomes = [factsOf({}), factsOf({ egress: 'direct/other.example.net' }), factsOf({ ending: 'reply' })];
  const heard: ProbeOutcome[] = [];
  const bulk = new PortAwareBulkProber(
    { probe: async ({ onOutcome }) => outcomes.forEach((outcome, index) => onOutcome(index, outcome)) },
    { isPortClosed: (egress) => egress === 'direct/mx.example.net' },
  );
  const onOutcome = (_: number, outcome: ProbeOutcome): void => void heard.push(outcome);
  await bulk.probe({ onOutcome } as unknown as BulkProbeRequest);
  expect(heard).toEqual([expect.objectContaining({ kind: 'unavailable' }), outcomes[1], outcomes[2]]);
});
