import {
  afterConnection,
  afterReferencesFailed,
  afterRefusal,
  afterSilence,
  EVIDENCE_WINDOW_MS,
  isSuspicious,
  NO_EVIDENCE,
  portVerdict,
  type PortEvidence,
} from './port-evidence.js';

const NOW = 10_000_000;
const silentNetworks = (count: number, before: PortEvidence = NO_EVIDENCE, at = NOW): PortEvidence => {
  let evidence = before;
  for (let index = 1; index <= count; index += 1) evidence = afterSilence(evidence, `9.9.${index}.1`, at);
  return evidence;
};

describe('portVerdict', () => {
  it('is unknown at first', () => {
    expect(portVerdict(NO_EVIDENCE, NOW)).toBe('unknown');
  });

  it('is open after a connection, for a while', () => {
    expect(portVerdict(afterConnection(NOW), NOW + EVIDENCE_WINDOW_MS - 1)).toBe('open');
    expect(portVerdict(afterConnection(NOW), NOW + EVIDENCE_WINDOW_MS)).toBe('unknown');
  });

  it('is closed when hosts of five networks were silent and none connected', () => {
    expect(portVerdict(silentNetworks(4), NOW)).toBe('unknown');
    expect(portVerdict(silentNetworks(5), NOW)).toBe('closed');
    expect(portVerdict(silentNetworks(5), NOW + EVIDENCE_WINDOW_MS)).toBe('unknown');
  });

  it('is not closed by many dead hosts of one network', () => {
    let evidence = NO_EVIDENCE;
    for (let host = 1; host < 200; host += 1) evidence = afterSilence(evidence, `9.9.9.${host}`, NOW);
    for (let host = 1; host < 200; host += 1) evidence = afterSilence(evidence, `2001:4860:4860:${host}::1`, NOW);
    expect(portVerdict(evidence, NOW)).toBe('unknown');
  });

  it('is not closed by dead hosts at private addresses', () => {
    let evidence = NO_EVIDENCE;
    for (let index = 1; index < 200; index += 1) evidence = afterSilence(evidence, `127.${index}.${index}.1`, NOW);
    for (let index = 1; index < 200; index += 1) evidence = afterSilence(evidence, `10.${index}.0.1`, NOW);
    expect(evidence).toBe(NO_EVIDENCE);
  });

  it('only becomes suspect shortly after a connection', () => {
    const evidence = silentNetworks(9, afterConnection(NOW));
    expect(portVerdict(evidence, NOW)).toBe('open');
    expect(isSuspicious(evidence, NOW)).toBe(true);
  });

  it('is closed when well-known hosts cannot be reached', () => {
    expect(portVerdict(afterReferencesFailed(afterConnection(NOW), NOW), NOW)).toBe('closed');
  });

  it('is open again with the first connection', () => {
    expect(afterConnection(NOW)).toEqual({ ...NO_EVIDENCE, connectedAtMs: NOW });
  });

  it('counts a refused connection as an answer', () => {
    expect(portVerdict(silentNetworks(1, afterRefusal(silentNetworks(8))), NOW)).toBe('unknown');
    // Unless all hosts refuse: our own firewall may do so.
    expect(portVerdict(afterRefusal(afterReferencesFailed(NO_EVIDENCE, NOW)), NOW)).toBe('closed');
  });

  it('remembers a bounded number of networks', () => {
    expect(silentNetworks(250).silent.size).toBeLessThan(20);
  });
});
