import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { refusalOf } from '../../test/factories/refusal-of.js';
import { ResultStreams, type ResultStream } from './result-streams.js';

const MI = 1024 * 1024;

/** A response whose client takes what a test says. */
class Response extends EventEmitter {
  destroyed = false;
  readonly chunkedEncoding = true;
  readonly socket = { bytesWritten: 0 };
  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

let streams: ResultStreams;
let responses: Response[];
beforeEach(() => {
  jest.useFakeTimers();
  streams = new ResultStreams();
  responses = [];
});
afterEach(() => {
  for (const response of responses) response.destroy();
  const left = streams.count + jest.getTimerCount();
  jest.useRealTimers();
  if (left > 0) throw new Error('responses or timers were left');
});

function begin(account: string): ResultStream {
  const response = new Response();
  responses.push(response);
  return streams.begin(account, response as unknown as ServerResponse);
}
const reads = (nth: number): void => void (responses[nth]!.socket.bytesWritten += 1000);

it('an account reads results ten times at once, and a process serves a hundred', () => {
  for (let i = 0; i < 10; i++) begin('a');
  expect(refusalOf(() => begin('a'))).toBe('quota_exceeded');
  for (let i = 0; i < 90; i++) begin(`b${i}`);
  expect(refusalOf(() => begin('c'))).toBe('service_unavailable');
  responses[0]!.destroy();
  expect(refusalOf(() => begin('a'))).toBeNull();
});

it('they hold 20 Mi characters of an account, and 64 Mi in all, at most', () => {
  const [one, other] = [begin('a'), begin('a')];
  one.hold(19 * MI);
  one.hold(5 * MI);
  other.hold(MI);
  expect(refusalOf(() => other.hold(MI + 1))).toBe('quota_exceeded');
  for (const account of ['b', 'c']) begin(account).hold(20 * MI);
  begin('d').hold(4 * MI);
  expect(refusalOf(() => begin('e').hold(1))).toBe('service_unavailable');
});

it('cuts off a client that has read nothing for a minute, and no other', () => {
  begin('a');
  begin('b');
  for (let seconds = 0; seconds < 55; seconds += 5) {
    jest.advanceTimersByTime(5000);
    reads(1);
  }
  expect(responses.map(({ destroyed }) => destroyed)).toEqual([false, false]);
  jest.advanceTimersByTime(5000);
  expect(responses.map(({ destroyed }) => destroyed)).toEqual([true, false]);
});

it('a client that has read nothing for ten seconds gives its place to another, the slowest first', () => {
  for (let i = 0; i < 100; i++) begin(`a${i}`);
  jest.advanceTimersByTime(4999);
  reads(0);
  streams.cutStalled();
  jest.advanceTimersByTime(5000);
  expect(refusalOf(() => begin('b'))).toBe('service_unavailable');
  jest.advanceTimersByTime(1);
  expect(refusalOf(() => begin('b'))).toBeNull();
  expect(responses.findIndex(({ destroyed }) => destroyed)).toBe(1);
});

it('a client that is gone already takes no place', () => {
  const response = new Response();
  response.destroyed = true;
  streams.begin('a', response as unknown as ServerResponse);
  expect(streams.count).toBe(0);
});
