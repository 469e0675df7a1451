import { createLog } from './log.js';
import { inLogContext } from './log-context.js';

it('every log line of some work carries its context, however late, and no other line does', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  await Promise.all(
    ['first', 'second'].map((job) =>
      inLogContext({ queue: 'smtp-probe', job }, async () => {
        await new Promise(setImmediate);
        log.info(`from ${job}`);
      }),
    ),
  );
  log.info('from nobody');
  expect(lines.map((line) => JSON.parse(line) as Record<string, unknown>)).toMatchObject([
    { queue: 'smtp-probe', job: 'first', msg: 'from first' },
    { queue: 'smtp-probe', job: 'second', msg: 'from second' },
    { msg: 'from nobody' },
  ]);
  expect(lines[2]).not.toContain('queue');
});
