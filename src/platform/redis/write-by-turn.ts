import type { Redis } from 'ioredis';
import { atEndOfTurn } from '../scheduling/end-of-turn.js';

/**
 * Sends the commands of one turn of the event loop in one write: a system call that wakes another process costs more than most
 * commands. No `enableAutoPipelining`: it holds commands back until those of the turn before are answered.
 */
export function writeByTurn(redis: Redis): void {
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    // There is none before the first connection.
    const socket = redis.stream as Redis['stream'] | undefined;
    if (socket !== undefined && socket.writableCorked === 0) {
      socket.cork();
      atEndOfTurn(() => socket.uncork());
    }
    return send(command, stream);
  };
}
