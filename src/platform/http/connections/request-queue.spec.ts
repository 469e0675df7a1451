import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { RequestQueue, WaitingRequestLimit } from './request-queue.js';

type Parser = { onIncoming: (request: IncomingMessage, keepAlive: boolean) => number };

/** A connection whose requests are answered when a test says so. */
function connection(room: WaitingRequestLimit, places = 10) {
  const handed: { request: IncomingMessage; keepAlive: boolean }[] = [];
  const parser: Parser = { onIncoming: (request, keepAlive) => handed.push({ request, keepAlive }) };
  const socket = { parser, _paused: false, pause: jest.fn(), resume: jest.fn(), destroySoon: jest.fn() };
  const queue = new RequestQueue(socket as unknown as Socket, room, places);
  queue.busy = true;
  const arrive = (request: object = {}): void => void parser.onIncoming(request as IncomingMessage, true);
  return { queue, handed, socket, arrive };
}

it('requests that wait on a closed connection take no place of others', () => {
  const room = new WaitingRequestLimit(3);
  const closed = connection(room);
  for (let i = 0; i < 3; i++) closed.arrive();
  const other = connection(room);
  other.arrive();
  expect([closed.queue.length, other.queue.length]).toEqual([3, 0]);
  closed.queue.clear();
  const third = connection(room);
  for (let i = 0; i < 5; i++) third.arrive();
  expect([closed.queue.length, third.queue.length]).toEqual([0, 3]);
});

it('a request whose turn has come takes no place any more', () => {
  const room = new WaitingRequestLimit(1);
  const { queue, handed, arrive } = connection(room);
  arrive();
  expect([queue.next(), handed.length, queue.next()]).toEqual([true, 1, false]);
  arrive();
  expect(queue.length).toBe(1);
});

it('the last that waits on a full connection ends it, and nothing more is read', () => {
  const { queue, handed, socket, arrive } = connection(new WaitingRequestLimit(100), 2);
  for (let i = 0; i < 3; i++) arrive();
  for (let i = 0; i < 3; i++) queue.next();
  expect(handed.map(({ keepAlive }) => keepAlive)).toEqual([true, false]);
  expect([socket.pause.mock.calls.length, socket.resume.mock.calls.length]).toEqual([3, 0]);
  expect(socket.destroySoon).toHaveBeenCalledTimes(1);
});

it('one that asks for another protocol waits like any other, as a request of HTTP', () => {
  const { queue, handed, arrive } = connection(new WaitingRequestLimit(100));
  arrive({ upgrade: true });
  queue.next();
  expect(handed).toMatchObject([{ request: { upgrade: false } }]);
});
