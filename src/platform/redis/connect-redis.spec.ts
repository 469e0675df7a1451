import { setImmediate } from 'node:timers/promises';
import { connectRedis } from './connect-redis.js';

it('ASKING, whose promise the client of a cluster leaves alone, ends no process when its node is away', async () => {
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  const redis = connectRedis('redis://127.0.0.1:1', { lazyConnect: true, enableOfflineQueue: false });
  void redis.asking();
  await setImmediate();
  await setImmediate();
  process.off('unhandledRejection', unhandled);
  redis.disconnect();
  expect(unhandled).not.toHaveBeenCalled();
});
