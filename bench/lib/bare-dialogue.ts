import { connect } from 'node:net';
import { PROBER_NAME } from '../../test/lab/world.js';

export interface MailHostAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Asks about recipients in as few round trips as SMTP allows: the greeting, EHLO, then MAIL and every RCPT in one
 * write. Sends QUIT and does not wait. Judges nothing, and asks nothing again.
 */
export function bareDialogue({ host, port }: MailHostAddress, recipients: readonly string[]): Promise<void> {
  const commands = ['MAIL FROM:<>', ...recipients.map((recipient) => `RCPT TO:<${recipient}>`)];
  const writes = [[`EHLO ${PROBER_NAME}`], commands];
  return new Promise((resolve) => {
    const socket = connect(port, host);
    let repliesDue = 1;
    let rest = '';
    socket.on('data', (chunk) => {
      const lines = `${rest}${chunk.toString('latin1')}`.split('\r\n');
      rest = lines.pop() ?? '';
      repliesDue -= lines.filter((line) => line[3] === ' ').length;
      if (repliesDue > 0) return;
      const next = writes.shift();
      if (next === undefined) {
        socket.end('QUIT\r\n');
        socket.destroySoon();
        return resolve();
      }
      repliesDue = next.length;
      socket.write(next.map((line) => `${line}\r\n`).join(''));
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });
}
