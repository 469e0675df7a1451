import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createSecureContext, TLSSocket, type SecureContext } from 'node:tls';
import { setTimeout as pause } from 'node:timers/promises';
import { LABORATORY_CERTIFICATE, LABORATORY_KEY } from './certificate.js';
import { ClientLines } from './client-lines.js';
import { UNKNOWN_MAILBOX, type Answer, type MailHost } from './mail-host.js';
import type { SessionLog } from './session-log.js';
import { codeOf, SessionOver, Speaker } from './speaker.js';

/** The memory of a host between sessions. */
export interface HostMemory {
  /** Monotonic milliseconds of the first try of `sender recipient`. */
  readonly firstTries: Map<string, number>;
}

const IDLE_MS = 300_000;
let secureContext: SecureContext | undefined;

/** One SMTP dialogue, as the host's data say. */
export class ScriptedSession {
  private readonly lines = new ClientLines();
  private readonly gone = new AbortController();
  private readonly speaker: Speaker;
  private readonly fields: Record<string, string>;
  private greeted = false;
  private answering = false;
  private pipelined = false;
  private introduced = false;
  private sender: string | null = null;
  private smtputf8 = false;
  private recipients = 0;
  private refusals = 0;

  constructor(
    private readonly socket: Socket,
    private readonly host: MailHost,
    private readonly log: SessionLog,
    private readonly memory: HostMemory,
  ) {
    this.fields = { client: log.clientAddress, helo: '', sender: '', recipient: '' };
    this.speaker = new Speaker(socket, host, this.gone.signal, (line) => log.replies.push(line));
    this.listenTo(socket);
  }

  /** Resolves when the session ends, on either side. Never rejects for anything a client does. */
  async run(): Promise<void> {
    try {
      await this.greet();
      for (let line = await this.lines.next(); line !== null; line = await this.lines.next()) {
        this.answering = true;
        await this.obey(line);
        this.answering = false;
      }
    } catch (error) {
      if (!(error instanceof SessionOver)) throw error;
    }
  }

  private listenTo(socket: Socket): void {
    const over = (): void => {
      this.gone.abort();
      this.lines.end();
    };
    socket.setNoDelay(true);
    socket.setTimeout(IDLE_MS, () => socket.destroy());
    socket.on('error', over);
    socket.on('close', over);
    socket.on('end', () => this.afterRoundTrip(over));
    socket.on('data', (chunk: Buffer) => this.hear(chunk));
  }

  private hear(chunk: Buffer): void {
    if (!this.greeted) {
      this.log.violations.push('spoke before the greeting had ended');
      if (this.host.earlyTalker !== undefined) return this.throwOut(this.host.earlyTalker);
    }
    const isTurn = this.speaker.spoke;
    this.speaker.spoke = false;
    this.afterRoundTrip(() => {
      if (isTurn) this.log.turns += 1;
      this.take(chunk);
    });
  }

  private afterRoundTrip(work: () => void): void {
    const { roundTripMs = 0 } = this.host;
    if (roundTripMs === 0) return work();
    pause(roundTripMs, undefined, { signal: this.gone.signal }).then(work, () => undefined);
  }

  private take(chunk: Buffer): void {
    const busy = this.answering || this.lines.waiting > 0;
    this.lines.push(chunk);
    if (busy || this.lines.waiting > 1) this.pipelined = true;
    if (this.host.pipelining === false && this.pipelined) {
      this.log.violations.push('pipelined where it is not offered');
    }
  }

  private throwOut(answer: Answer): void {
    const line = typeof answer === 'string' ? answer : '521 5.5.1 Protocol error';
    this.log.replies.push(line);
    this.socket.end(`${line}\r\n`);
    this.gone.abort();
    this.lines.end();
  }

  private async greet(): Promise<void> {
    await this.speaker.wait(this.host.roundTripMs ?? 0);
    await this.speaker.say(this.host.greeting ?? `220 ${this.log.host} ESMTP`, this.fields);
    this.greeted = true;
    this.closeAfter('greeting');
  }

  private async obey(line: string): Promise<void> {
    this.log.commands.push(line);
    const [verb = '', ...rest] = line.trim().split(/\s+/);
    switch (verb.toUpperCase()) {
      case 'EHLO':
      case 'HELO':
        return this.introduce(verb.toUpperCase(), rest[0] ?? '');
      case 'STARTTLS':
        return this.startTls();
      case 'MAIL':
        return this.mail(line);
      case 'RCPT':
        return this.recipient(line);
      case 'RSET':
        this.sender = null;
        return this.reply(this.host.rset ?? '250 2.0.0 Ok');
      case 'NOOP':
        return this.reply('250 2.0.0 Ok');
      case 'VRFY':
        return this.reply('252 2.0.0 Send some mail and see');
      case 'QUIT':
        await this.reply(this.host.quit ?? '221 2.0.0 Bye');
        return this.speaker.close();
      case 'DATA':
        this.log.violations.push('DATA');
        return this.reply('503 5.5.1 This server takes no messages');
      default:
        return this.reply('502 5.5.2 Command not recognized');
    }
  }

  private async introduce(verb: string, name: string): Promise<void> {
    this.fields['helo'] = name;
    const { heloPolicy } = this.host;
    if (heloPolicy && (!name.includes('.') || heloPolicy.forbidden.includes(name.toLowerCase()))) {
      return this.reply(heloPolicy.answer);
    }
    const answer = verb === 'EHLO' ? (this.host.ehlo ?? this.extensions()) : (this.host.helo ?? `250 ${this.log.host}`);
    this.introduced = codeOf(answer) === 250;
    await this.reply(answer);
    this.closeAfter('ehlo');
  }

  private extensions(): readonly string[] {
    const { pipelining = true, smtputf8 = false, starttls, starttlsRefusal } = this.host;
    const { extensions = ['SIZE 20480000', '8BITMIME'] } = this.host;
    const offersTls = (starttls !== undefined || starttlsRefusal !== undefined) && !this.log.secured;
    const words = [
      `${this.log.host} at your service`,
      ...(pipelining ? ['PIPELINING'] : []),
      ...(smtputf8 ? ['SMTPUTF8'] : []),
      ...(offersTls ? ['STARTTLS'] : []),
      ...extensions,
    ];
    return words.map((word, index) => `250${index === words.length - 1 ? ' ' : '-'}${word}`);
  }

  private async startTls(): Promise<void> {
    const { starttls, starttlsRefusal } = this.host;
    if (starttlsRefusal !== undefined) return this.reply(starttlsRefusal);
    if (starttls === undefined || this.log.secured) return this.reply('502 5.5.1 STARTTLS is not offered');
    const injected = ['250 2.1.0 injected', '250 2.1.5 injected', '250 2.1.5 injected'];
    this.socket.removeAllListeners('data');
    this.socket.pause();
    await this.speaker.say(['220 2.0.0 Ready to start TLS', ...(starttls === 'injects' ? injected : [])], this.fields);
    if (starttls === 'broken') return this.refuseHandshake();
    await this.secure();
  }

  private async refuseHandshake(): Promise<never> {
    this.socket.resume();
    await once(this.socket, 'data', { signal: this.gone.signal }).catch(() => undefined);
    this.speaker.write('no TLS is spoken here\r\n');
    return this.speaker.close();
  }

  private async secure(): Promise<void> {
    secureContext ??= createSecureContext({ key: LABORATORY_KEY, cert: LABORATORY_CERTIFICATE });
    const secured = new TLSSocket(this.socket, { isServer: true, secureContext });
    const shaken = once(secured, 'secure', { signal: this.gone.signal });
    this.listenTo(secured);
    await shaken.catch(() => {
      throw new SessionOver();
    });
    this.speaker.switchTo(secured);
    // RFC 3207 4.2: forget everything said before.
    this.lines.clear();
    this.introduced = false;
    this.sender = null;
    this.log.secured = true;
  }

  private async mail(line: string): Promise<void> {
    const { tlsDemanded, smtputf8Demanded, smtputf8: utf8Offered } = this.host;
    const [, sender, parameters = ''] = /^MAIL FROM:\s*<([^>]*)>(.*)$/i.exec(line) ?? [];
    if (sender === undefined) return this.reply('501 5.5.4 Syntax: MAIL FROM:<address>');
    if (!this.introduced) return this.reply('503 5.5.1 Error: send HELO/EHLO first');
    if (this.sender !== null) return this.reply('503 5.5.1 Error: nested MAIL command');
    if (tlsDemanded?.at === 'mail' && !this.log.secured) return this.reply(tlsDemanded.answer);
    const utf8Asked = /\bSMTPUTF8\b/i.test(parameters);
    if (utf8Asked && utf8Offered !== true) return this.reply('555 5.5.4 Unsupported option: SMTPUTF8');
    if (smtputf8Demanded !== undefined && !utf8Asked) return this.reply(smtputf8Demanded);

    const answer = this.host.mail ?? '250 2.1.0 Ok';
    this.fields['sender'] = sender;
    if (codeOf(answer) === 250) this.sender = sender;
    this.smtputf8 = utf8Asked;
    await this.reply(answer);
    this.closeAfter('mail');
  }

  private async recipient(line: string): Promise<void> {
    const recipient = /^RCPT TO:\s*<(.*)>[^>]*$/i.exec(line)?.[1];
    if (this.sender === null) return this.reply('503 5.5.1 Error: need MAIL command');
    if (recipient === undefined) return this.reply('501 5.5.4 Syntax: RCPT TO:<address>');
    this.fields['recipient'] = recipient;
    this.recipients += 1;
    const answer = this.judge(recipient, this.sender);
    await this.reply(answer);
    if ((codeOf(answer) ?? 0) >= 400) this.closeAfter('refused_rcpt');
    this.closeAfter('rcpt');
  }

  private judge(recipient: string, sender: string): Answer {
    const { recipientsByOrder, recipientLimit, tlsDemanded, recipients, otherRecipients, greylist } = this.host;
    const { pipelinedAnswer } = this.host;
    if (pipelinedAnswer !== undefined && this.pipelined) return pipelinedAnswer;
    const byOrder = recipientsByOrder?.[this.recipients - 1] ?? null;
    if (byOrder !== null) return byOrder;
    if (recipientLimit !== undefined && this.recipients > recipientLimit.count) return recipientLimit.answer;
    if (tlsDemanded?.at === 'rcpt' && !this.log.secured) return tlsDemanded.answer;
    if (/\P{ASCII}/u.test(recipient) && !this.smtputf8) return '501 5.1.3 Bad recipient address syntax';

    const localPart = recipient.slice(0, recipient.lastIndexOf('@')).toLowerCase();
    const answer = recipients?.[localPart] ?? otherRecipients ?? UNKNOWN_MAILBOX;
    if (greylist === undefined || (codeOf(answer) ?? 0) >= 300) return answer;
    const pair = `${sender} ${recipient}`.toLowerCase();
    const now = performance.now();
    const first = this.memory.firstTries.get(pair) ?? now;
    this.memory.firstTries.set(pair, first);
    return first === now || now - first < greylist.afterMs ? greylist.answer : answer;
  }

  /** Answers, counts refusals, and ends the session after too many. */
  private async reply(answer: Answer): Promise<void> {
    const { hardErrorLimit } = this.host;
    if ((codeOf(answer) ?? 0) >= 400) this.refusals += 1;
    if (hardErrorLimit !== undefined && this.refusals >= hardErrorLimit) {
      return this.speaker.say({ lines: '421 4.7.0 Error: too many errors', afterwards: 'close' }, this.fields);
    }
    return this.speaker.say(answer, this.fields);
  }

  private closeAfter(point: MailHost['closeAfter']): void {
    if (this.host.closeAfter === point) this.speaker.close();
  }
}
