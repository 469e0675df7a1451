import { setImmediate as nextTurn } from 'node:timers/promises';
import { atEndOfTurn } from './end-of-turn.js';

it('runs functions after the rest of the turn, in order, and those that they add with them', async () => {
  const ran: string[] = [];
  atEndOfTurn(() => {
    ran.push('first');
    atEndOfTurn(() => ran.push('added by the first'));
  });
  atEndOfTurn(() => ran.push('second'));
  ran.push('rest of the turn');
  await nextTurn();
  expect(ran).toEqual(['rest of the turn', 'first', 'second', 'added by the first']);
});

it('runs each once', async () => {
  let count = 0;
  for (let turn = 1; turn <= 3; turn += 1) {
    atEndOfTurn(() => (count += 1));
    await nextTurn();
    expect(count).toBe(turn);
  }
});
