import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { DeadlineMissed, withinDeadline } from './within-deadline.js';

describe('withinDeadline', () => {
  it('rejects what does not end in time', async () => {
    await expect(withinDeadline(new Promise(() => undefined), 1)).rejects.toBeInstanceOf(DeadlineMissed);
  });

  it('takes an answer that came while the process was held up until the deadline had passed', async () => {
    // The next phase of the event loop is that of its timers.
    await new Promise(setImmediate);
    const { port1, port2 } = new MessageChannel();
    const answer = withinDeadline(once(port2, 'message'), 1);
    port1.postMessage('here');
    const heldUpUntil = performance.now() + 20;
    while (performance.now() < heldUpUntil);
    await expect(answer).resolves.toEqual(['here']);
    port1.close();
  });
});
