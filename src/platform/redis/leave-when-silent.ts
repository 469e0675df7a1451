import type { Redis } from 'ioredis';
import { withinDeadline } from '../scheduling/within-deadline.js';
import { isRefusal } from './redis-errors.js';

const EVERY_MS = 2000;
const WITHIN_MS = 2000;

/**
 * Connects anew when the server says nothing any more: one that hangs keeps its connections and takes new ones, while
 * sentinels let another one take over. No `failoverDetector`: where it hears of that while its client connects again, it
 * ends the client for good.
 */
export function leaveWhenSilent(redis: Redis): void {
  let wasConnected = false;
  const look = async (): Promise<void> => {
    const { status } = redis;
    // Connected, but the server has not yet said that it is ready.
    const isStuck = status === 'connect' && wasConnected;
    wasConnected = status === 'connect';
    if (isStuck || (status === 'ready' && !(await answers(redis)))) redis.disconnect(true);
  };
  const timer = setInterval(() => void look(), EVERY_MS).unref();
  redis.once('end', () => clearInterval(timer));
}

async function answers(redis: Redis): Promise<boolean> {
  try {
    await withinDeadline(redis.ping(), WITHIN_MS);
    return true;
  } catch (error) {
    return isRefusal(error) || redis.status !== 'ready';
  }
}
