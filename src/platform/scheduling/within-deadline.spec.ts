import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { holdUp } from '../../../test/support/hold-up.js';
import { DeadlineMissed, withinDeadline } from './within-deadline.js';

const DEADLINE_MS = 100;

describe('withinDeadline', () => {
  it('rejects what does not end in time', async () => {
    await expect(withinDeadline(new Promise(() => undefined), 1)).rejects.toBeInstanceOf(DeadlineMissed);
  });

  it('takes an answer that came while the process was held up until the deadline had passed', async () => {
    // The next phase of the event loop is that of its timers.
    await new Promise(setImmediate);
    const { port1, port2 } = new MessageChannel();
    const answer = withinDeadline(once(port2, 'message'), DEADLINE_MS);
    port1.postMessage('here');
    holdUp(2 * DEADLINE_MS);
    await expect(answer).resolves.toEqual(['here']);
    port1.close();
  });

  it('waits for an answer in several steps between which the process is held up', async () => {
    const { port1, port2 } = new MessageChannel();
    const inSteps = async (): Promise<string> => {
      for (let step = 0; step < 3; step += 1) {
        const message = once(port2, 'message');
        port1.postMessage(step);
        await message;
        holdUp(2 * DEADLINE_MS);
      }
      return 'done';
    };
    await expect(withinDeadline(inSteps(), DEADLINE_MS)).resolves.toBe('done');
    port1.close();
  });
});
