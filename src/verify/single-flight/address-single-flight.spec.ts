import { Logger } from '@nestjs/common';
import { leasesOver } from '../../../test/factories/leases-over.js';
import { Deadline } from '../../engine/deadline.js';
import { AddressSingleFlight } from './address-single-flight.js';
import type { JoinOutcome, CheckDepth, Leader } from './join-outcome.js';
import type { CheckCompletion, LeaseState, AcquireAnswer, AcquireRequest } from './leases.js';

type Said = Omit<AcquireAnswer, 'at' | 'until'> | 'lost';
const HELD: Said = { taken: false, completed: null };
const TAKEN: Said = { taken: true, completed: null };

describe('AddressSingleFlight', () => {
  const deadlines: Deadline[] = [];
  beforeEach(() => {
    for (const level of ['warn', 'log'] as const) jest.spyOn(Logger.prototype, level).mockImplementation();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    for (const deadline of deadlines.splice(0)) deadline.release();
  });

  /**
   * The single-flight of one address, and a lease store that gives these answers in order, then repeats the last one.
   */
  const build = (...says: readonly Said[]) => {
    const requests: AcquireRequest[] = [];
    const completions: CheckCompletion[] = [];
    let idle = 0;
    let onIdle = (): void => undefined;
    const ended = new Promise<void>((resolve) => (onIdle = resolve));
    const take = (request: AcquireRequest): Promise<AcquireAnswer> => {
      requests.push(request);
      const said = says[Math.min(requests.length, says.length) - 1]!;
      if (said === 'lost') return Promise.reject(new Error('no Redis'));
      return Promise.resolve({ ...said, at: requests.length, until: requests.length + 100 });
    };
    const complete = (completion: CheckCompletion): Promise<LeaseState> => {
      completions.push(completion);
      return Promise.resolve({ at: requests.length, until: requests.length });
    };
    const leases = leasesOver(
      { acquire: take, complete, renew: () => Promise.resolve(), stageOf: () => Promise.resolve(null) },
      0,
    );
    const address = new AddressSingleFlight('hash', {
      leases,
      times: { renewMs: 1000, longestHoldMs: 60_000, pollMs: 1, jitterMs: 1 },
      random: () => 0.5,
      onWait: () => undefined,
      onIdle: () => {
        idle += 1;
        onIdle();
      },
    });
    return { address, requests, completions, idle: () => idle, ended };
  };
  const join = (address: AddressSingleFlight, depth: CheckDepth = 'standard'): Promise<JoinOutcome> => {
    const deadline = Deadline.after(10_000);
    deadlines.push(deadline);
    return address.join(depth, deadline);
  };
  const leading = async (flight: Promise<JoinOutcome>): Promise<Leader> => {
    const answer = await flight;
    if (answer.kind !== 'leader') throw new Error(`does not lead: ${answer.kind}`);
    return answer;
  };

  it('retries with one token until it has the lease', async () => {
    const { address, requests } = build(HELD, HELD, TAKEN);
    const lead = await leading(join(address));
    expect(requests.map(({ last }) => last?.at ?? null)).toEqual([null, 1, 2]);
    expect(new Set(requests.map(({ token }) => token)).size).toBe(1);
    expect(lead.recheck).toBe(true);
    await lead.complete(true);
  });

  it('leads alone if the lease store is unknown, and says that the cache may know more', async () => {
    const { address } = build('lost');
    const lead = await leading(join(address));
    expect(lead.recheck).toBe(true);
    await lead.complete(true);
  });

  it('tolerates one failed lease request while another process holds the lease, not two', async () => {
    const broke = build(HELD, 'lost', { taken: false, completed: 'standard' });
    expect(await join(broke.address)).toEqual({ kind: 'completed' });
    const lost = build(HELD, 'lost', 'lost');
    const lead = await leading(join(lost.address));
    expect(lost.requests).toHaveLength(3);
    await lead.complete(false);
  });

  it('uses a missed completion even if it gets the next lease', async () => {
    const { address } = build(HELD, { taken: true, completed: 'standard' });
    const flights = [join(address), join(address, 'enhanced')];
    expect(await flights[0]).toEqual({ kind: 'completed' });
    await (await leading(flights[1]!)).complete(true);
  });

  it('ignores a completion from before the waiter came', async () => {
    const { address } = build({ taken: true, completed: 'enhanced' });
    const lead = await leading(join(address));
    expect(lead.recheck).toBe(true);
    await lead.complete(true);
  });

  it('releases a lease that came when no waiter was left, and ends', async () => {
    const { address, completions, idle, ended } = build(TAKEN);
    const deadline = Deadline.after(10_000);
    const flight = address.join('standard', deadline);
    deadline.cancel();
    expect(await flight).toEqual({ kind: 'timed_out' });
    await ended;
    expect(completions).toMatchObject([{ stored: false }]);
    expect(idle()).toBe(1);
  });

  it('ends once nobody waits and nobody holds the lease', async () => {
    const { address, completions, idle } = build(TAKEN);
    const flights = [join(address), join(address)];
    const lead = await leading(flights[0]!);
    expect(idle()).toBe(0);
    await lead.complete(true);
    await lead.complete(false);
    expect(await flights[1]).toEqual({ kind: 'completed' });
    expect(completions).toHaveLength(1);
    expect([idle(), address.waiting, address.held]).toEqual([1, 0, false]);
  });

  it('uses a later completion in another process', async () => {
    const { address, requests } = build(TAKEN, { taken: false, completed: 'enhanced' });
    const flights = [join(address), join(address, 'enhanced')];
    const deep = await leading(flights[1]!);
    const deeper = join(address, 'enhanced');
    await deep.complete(false);
    expect(await flights[0]).toEqual({ kind: 'completed' });
    expect(await deeper).toEqual({ kind: 'completed' });
    expect(requests[1]?.last?.at).toBe(1);
  });

  it('lets the next waiter lead, with its own token, if there was no result', async () => {
    const { address, requests } = build(TAKEN);
    const flights = [join(address), join(address)];
    await (await leading(flights[0]!)).complete(false);
    await (await leading(flights[1]!)).complete(true);
    expect(new Set(requests.map(({ token }) => token)).size).toBe(2);
  });
});
