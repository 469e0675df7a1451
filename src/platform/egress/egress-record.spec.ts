import { ConnectionFault } from '../../engine/smtp/egress.js';
import { EgressRecord, type EgressRecordOptions } from './egress-record.js';

const timeout = new ConnectionFault('theirs', 'timeout');
const proxy = new ConnectionFault('ours', 'proxy');

describe('EgressRecord', () => {
  const recordOf = (sources: EgressRecordOptions['sources'] = []) => new EgressRecord({ sources, now: () => 5000 });

  it('learns the public source address that the system chooses, if none is configured', () => {
    const record = recordOf();
    record.connected('9.9.9.10', '10.0.0.5');
    record.connected('9.9.9.10', '9.9.9.9');
    expect(record.sources).toEqual(['9.9.9.9']);
  });

  it('uses configured addresses, and knows none of a proxy', () => {
    const record = recordOf(['9.9.9.9', '10.0.0.5']);
    record.connected('9.9.9.10', '8.8.8.8');
    expect(record.sources).toEqual(['9.9.9.9']);
    const ofProxy = recordOf(null);
    ofProxy.connected('9.9.9.10', '8.8.8.8');
    expect(ofProxy.sources).toEqual([]);
  });

  it('ignores attempts that were cut off early', () => {
    const record = recordOf();
    for (let index = 0; index < 9; index += 1) {
      record.failed(`9.9.${index}.1`, timeout, 100, true);
      record.failed(`9.9.${index}.1`, proxy, 100, true);
    }
    expect([record.port, record.failing]).toEqual(['unknown', false]);
  });

  it('does not count a short time limit as silence', () => {
    const record = recordOf();
    for (let index = 0; index < 9; index += 1) record.failed(`9.9.${index}.1`, timeout, 300, false);
    expect(record.port).toBe('unknown');
  });

  it('reports trouble once, when it begins', () => {
    const record = recordOf();
    const told = jest.fn();
    record.onTrouble = told;
    for (let index = 0; index < 9; index += 1) record.failed(`9.9.${index}.1`, timeout, 5000, false);
    expect(told).toHaveBeenCalledTimes(1);
    record.connected('9.9.9.10', undefined);
    for (let index = 0; index < 9; index += 1) record.failed('9.9.9.9', proxy, 5000, false);
    expect(told).toHaveBeenCalledTimes(2);
  });

  it('takes a connection over IPv6 for no open port over IPv4, nor its silence for a closed one', () => {
    const record = recordOf();
    for (let index = 0; index < 5; index += 1) {
      record.failed(`9.9.${index}.1`, timeout, 5000, false);
      record.connected('2a00:1450::1', undefined);
    }
    expect(record.port).toBe('closed');
    record.connected('9.9.9.9', undefined);
    for (let index = 0; index < 5; index += 1) record.failed(`2a00:145${index}::1`, timeout, 5000, false);
    expect([record.port, record.suspicious]).toEqual(['open', false]);
    const quiet = recordOf();
    for (let index = 0; index < 5; index += 1) quiet.failed(`2a00:145${index}::1`, timeout, 5000, false);
    expect(quiet.port).toBe('closed');
  });

  it('does not fail because it has no IPv6', () => {
    const record = recordOf();
    const noIpv6 = new ConnectionFault('ours', 'unreachable');
    for (let index = 0; index < 9; index += 1) record.failed('2a00:1450::1', noIpv6, 10, false);
    expect([record.failing, record.passedOver, record.port]).toEqual([false, false, 'unknown']);
    for (let index = 0; index < 3; index += 1) record.failed('9.9.9.9', noIpv6, 10, false);
    expect(record.failing).toBe(true);
  });

  it('is healthy again when a mail host answers, even with a refusal', () => {
    const record = recordOf();
    for (let index = 0; index < 3; index += 1) record.failed('9.9.9.9', proxy, 10, false);
    expect(record.passedOver).toBe(true);
    record.failed('9.9.9.9', new ConnectionFault('theirs', 'refused'), 10, false);
    expect([record.passedOver, record.failing]).toEqual([false, false]);
  });
});
