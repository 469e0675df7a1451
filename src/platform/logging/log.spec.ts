import { createLog } from './log.js';

it('logs to the standard output of the process share one writer, which waits for the end of the process', () => {
  createLog('silent');
  const waiting = process.listenerCount('exit');
  createLog('silent');
  createLog('info');
  expect(process.listenerCount('exit')).toBe(waiting);
});
