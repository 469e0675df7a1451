import { isRedisDown, isRefusal } from './redis-errors.js';

const reply = (message: string) => Object.assign(new Error(message), { name: 'ReplyError' });

describe('errors of a Redis that does not serve', () => {
  it.each([
    "OOM command not allowed when used memory > 'maxmemory'. script: 5ac0, on @user_script:10.",
    "ERR Error running script (call to f_5ac0): @user_script:10: @user_script: 10: -OOM command not allowed when used memory > 'maxmemory'.",
    "READONLY You can't write against a read only replica.",
    'MISCONF Redis is configured to save RDB snapshots, but it is currently unable to persist to disk.',
    'NOREPLICAS Not enough good replicas to write.',
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    'LOADING Redis is loading the dataset in memory',
    'CLUSTERDOWN The cluster is down',
    "NOPERM User worker has no permissions to run the 'set' command",
  ])('are a refusal: %s', (message) => {
    expect([isRefusal(reply(message)), isRedisDown(reply(message))]).toEqual([true, true]);
  });

  it('differ from a server that does not answer', () => {
    expect(isRefusal(new Error('Connection is closed.'))).toBe(false);
    expect(isRedisDown(new Error('Connection is closed.'))).toBe(true);
  });

  it('differ from our own faults', () => {
    expect(isRedisDown(reply('WRONGTYPE Operation against a key holding the wrong kind of value'))).toBe(false);
    expect(isRedisDown(new TypeError('x is not a function'))).toBe(false);
  });
});
