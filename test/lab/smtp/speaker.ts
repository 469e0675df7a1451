import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, MailHost, ScriptedAnswer } from './mail-host.js';

/** Pause between packets of a split reply: enough for the kernel to send them separately. */
const PACKET_GAP_MS = 2;
const ENDLESS_CHUNK = 'x'.repeat(4096);

/** Thrown if the session ends while its script continues. */
export class SessionOver extends Error {
  override readonly name = 'SessionOver';
}

/** Sends answers as a host's data say: late, in pieces, with odd line ends, or followed by a hang-up. */
export class Speaker {
  /** Set by every write, for those who count turns. */
  spoke = false;

  constructor(
    private socket: Socket,
    private readonly host: MailHost,
    private readonly gone: AbortSignal,
    private readonly onLine: (line: string) => void,
  ) {}

  /** Continues on another socket: the encrypted one. */
  switchTo(socket: Socket): void {
    this.socket = socket;
  }

  /** Resolves when the answer is written. @throws SessionOver if it ends the session or the client is gone */
  async say(answer: Answer, fields: Readonly<Record<string, string>>): Promise<void> {
    const scripted = asScripted(answer);
    await this.wait((this.host.delayMs ?? 0) + (scripted.delayMs ?? 0));
    if (scripted.until !== undefined) await this.waitFor(scripted.until);
    const lines = this.linesOf(scripted).map((line) => fill(line, fields));
    for (const line of lines) this.onLine(line);
    const end = this.host.lineEnd ?? '\r\n';
    const pieces = scripted.bytes === undefined ? lines.map((line) => Buffer.from(line + end)) : [scripted.bytes];
    for (const [index, packet] of this.packetsOf(pieces, scripted).entries()) {
      if (index > 0) await this.wait(scripted.gapMs ?? PACKET_GAP_MS);
      this.write(packet);
    }
    await this.finish(scripted.afterwards);
  }

  /** Hangs up after what was written. */
  close(): never {
    this.socket.end();
    throw new SessionOver();
  }

  /** Sends bytes as they are. */
  write(bytes: string | Uint8Array): boolean {
    if (this.gone.aborted || !this.socket.writable) throw new SessionOver();
    this.spoke = true;
    return this.socket.write(bytes);
  }

  private async finish(afterwards: ScriptedAnswer['afterwards']): Promise<void> {
    if (afterwards === 'close') this.close();
    if (afterwards === 'reset') {
      this.socket.resetAndDestroy();
      throw new SessionOver();
    }
    if (afterwards === 'silence') await this.wait(2 ** 31 - 1);
    if (afterwards === 'endless') await this.babble();
  }

  private async babble(): Promise<never> {
    for (;;) {
      const roomLeft = this.write(ENDLESS_CHUNK);
      await this.wait(roomLeft ? 1 : 10);
    }
  }

  /** Waits, for a time that ends early with the session. */
  async wait(ms: number): Promise<void> {
    if (ms > 0) await pause(ms, undefined, { signal: this.gone }).catch(() => undefined);
    if (this.gone.aborted) throw new SessionOver();
  }

  /** Waits for something else, or for the end of the session. */
  private async waitFor(event: Promise<unknown>): Promise<void> {
    const over = new AbortController();
    await Promise.race([event, once(this.gone, 'abort', { signal: over.signal })]).finally(() => over.abort());
    if (this.gone.aborted) throw new SessionOver();
  }

  private linesOf({ lines = [] }: ScriptedAnswer): readonly string[] {
    const list = typeof lines === 'string' ? [lines] : lines;
    const [only] = list;
    if (this.host.multiline !== true || only === undefined || list.length > 1) return list;
    const [code, text] = [only.slice(0, 3), only.slice(4)];
    return [`${code}-${text}`, `${code}-(more of the same)`, `${code} ${text}`];
  }

  private packetsOf(pieces: readonly Uint8Array[], { gapMs }: ScriptedAnswer): Uint8Array[] {
    if (this.host.split === 'line' || gapMs !== undefined) return [...pieces];
    const whole = Buffer.concat(pieces);
    if (this.host.split === 'byte') return Array.from(whole, (byte) => Uint8Array.of(byte));
    return whole.length === 0 ? [] : [whole];
  }
}

function asScripted(answer: Answer): ScriptedAnswer {
  return typeof answer === 'string' || isList(answer) ? { lines: answer } : answer;
}

function isList(answer: Answer): answer is readonly string[] {
  return Array.isArray(answer);
}

function fill(line: string, fields: Readonly<Record<string, string>>): string {
  return line.replace(/\{(\w+)\}/g, (whole, name: string) => fields[name] ?? whole);
}

/** The basic code of an answer, for counting refusals; null if it is no reply. */
export function codeOf(answer: Answer): number | null {
  const { lines = [] } = asScripted(answer);
  const first = typeof lines === 'string' ? lines : lines[0];
  const code = Number.parseInt(first ?? '', 10);
  return Number.isNaN(code) ? null : code;
}
