import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { listening } from '../loopback.js';
import { LABORATORY_CERTIFICATE, LABORATORY_KEY } from './certificate.js';
import { UNKNOWN_MAILBOX, type MailHost } from './mail-host.js';
import type { RunningHost } from './scripted-server.js';
import type { SessionBook, SessionLog } from './session-log.js';

/** How long open sessions get to end when the server stops, milliseconds. */
const CLOSE_TIMEOUT_MS = 50;

/**
 * A plain mail host run by npm `smtp-server`, so that the engine meets somebody else's reading of SMTP too. The
 * scripted server does what this one cannot: multi-line refusals, partial or malformed replies, late greetings, hanging
 * up in the middle.
 */
export class StockServer implements RunningHost {
  private readonly server: SMTPServer;
  private readonly logs = new Map<string, SessionLog>();

  constructor(
    private readonly name: string,
    private readonly host: MailHost,
    private readonly book: SessionBook,
  ) {
    this.server = new SMTPServer({
      name,
      key: LABORATORY_KEY,
      cert: LABORATORY_CERTIFICATE,
      authOptional: true,
      disabledCommands: ['AUTH', ...(host.starttls === 'works' ? [] : ['STARTTLS'])],
      // Otherwise it would query the real DNS.
      disableReverseLookup: true,
      closeTimeout: CLOSE_TIMEOUT_MS,
      onConnect: (session, done) => {
        this.logs.set(session.id, this.book.open(this.name, session.remoteAddress));
        done();
      },
      onSecure: (_socket, session, done) => {
        const log = this.logs.get(session.id);
        if (log) log.secured = true;
        done();
      },
      onMailFrom: ({ address }, session, done) => {
        this.logs.get(session.id)?.commands.push(`MAIL FROM:<${address}>`);
        done();
      },
      onRcptTo: ({ address }, session, done) => done(this.judge(address, session)),
      onClose: (session) => {
        const log = this.logs.get(session.id);
        if (log) this.book.close(log);
        this.logs.delete(session.id);
      },
    });
    this.server.on('error', () => undefined);
  }

  listen(address: string, port: number): Promise<number> {
    return listening(this.server.server, address, port);
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
    });
  }

  private judge(recipient: string, session: SMTPServerSession): Error | null {
    this.logs.get(session.id)?.commands.push(`RCPT TO:<${recipient}>`);
    const { recipients, otherRecipients = UNKNOWN_MAILBOX } = this.host;
    const answer = recipients?.[recipient.slice(0, recipient.lastIndexOf('@')).toLowerCase()] ?? otherRecipients;
    if (typeof answer !== 'string') throw new TypeError(`${this.name}: a stock server answers with one line of text`);
    const responseCode = Number(answer.slice(0, 3));
    if (responseCode < 400) return null;
    return Object.assign(new Error(answer.slice(4).replace('{recipient}', recipient)), { responseCode });
  }
}
