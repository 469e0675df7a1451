import { isRedisDown, isRefusal, isWithoutPrimary } from './redis-errors.js';

const reply = (message: string) => Object.assign(new Error(message), { name: 'ReplyError' });

describe('errors of a Redis that does not serve', () => {
  it.each([
    "OOM command not allowed when used memory > 'maxmemory'. script: 5ac0, on @user_script:10.",
    "ERR Error running script (call to f_5ac0): @user_script:10: @user_script: 10: -OOM command not allowed when used memory > 'maxmemory'.",
    "READONLY You can't write against a read only replica.",
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    'MISCONF Redis is configured to save RDB snapshots, but it is currently unable to persist to disk.',
    'NOREPLICAS Not enough good replicas to write.',
    'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.',
    "NOPERM User worker has no permissions to run the 'set' command",
  ])('are a refusal: %s', (message) => {
    expect([isRefusal(reply(message)), isRedisDown(reply(message))]).toEqual([true, true]);
    expect(isWithoutPrimary(reply(message))).toBe(false);
  });

  it.each([
    'LOADING Redis is loading the dataset in memory',
    'CLUSTERDOWN The cluster is down',
    'ERR Error running script (call to f_5ac0): @user_script:10: @user_script: 10: -CLUSTERDOWN Hash slot not served',
    'TRYAGAIN Multiple keys request during rehashing of slot',
    'MOVED 3999 10.0.0.2:6381',
    'ASK 3999 10.0.0.2:6381',
    'UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)',
  ])('say that none serves the keys: %s', (message) => {
    expect([isWithoutPrimary(reply(message)), isRedisDown(reply(message))]).toEqual([true, true]);
  });

  it.each([
    "Cluster isn't ready and enableOfflineQueue options is false",
    'Too many Cluster redirections. Last error: ReplyError: CLUSTERDOWN The cluster is down',
    'None of startup nodes is available',
    'Failed to refresh slots cache.',
  ])('are a cluster that does not answer: %s', (message) => {
    expect([isRefusal(new Error(message)), isRedisDown(new Error(message))]).toEqual([false, true]);
  });

  it.each([
    "Stream isn't writeable and enableOfflineQueue options is false",
    'Connection is closed.',
    'Command timed out',
    'Command aborted due to connection close',
    'Cluster is ended.',
  ])('differ from a server that does not answer: %s', (message) => {
    expect([isRefusal(new Error(message)), isRedisDown(new Error(message))]).toEqual([false, true]);
  });

  it('differ from a server that was asked too often in vain', () => {
    const error = Object.assign(new Error('Reached the max retries per request limit'), {
      name: 'MaxRetriesPerRequestError',
    });
    expect([isRefusal(error), isRedisDown(error), isWithoutPrimary(error)]).toEqual([false, true, false]);
  });

  it('differ from our own faults', () => {
    expect(isRedisDown(reply('WRONGTYPE Operation against a key holding the wrong kind of value'))).toBe(false);
    expect(isRedisDown(new TypeError('x is not a function'))).toBe(false);
    expect(isRedisDown(new Error('READONLY'))).toBe(false);
    expect(isWithoutPrimary(new Error('LOADING'))).toBe(false);
    expect([undefined, null, 'Command timed out', {}].map(isRedisDown)).toEqual([false, false, false, false]);
  });
});
