import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** A plain SMTP client for tests: sends and awaits exactly what it is told. */
export class RawClient {
  private heard = Buffer.alloc(0);
  private ended = false;
  private wake: () => void = () => undefined;
  /** How many packets came, as far as the kernel kept them apart. */
  packets = 0;

  private constructor(private socket: Socket) {
    this.listenTo(socket);
  }

  static to(address: string, port: number): RawClient {
    return new RawClient(connect(port, address));
  }

  /** Connects, reads the greeting, sends each line and reads its reply. @returns all replies */
  static async talk(address: string, port: number, lines: readonly string[]): Promise<string[]> {
    const client = RawClient.to(address, port);
    const replies = [await client.reply()];
    for (const line of lines) replies.push(await client.ask(line));
    client.destroy();
    return replies;
  }

  send(bytes: string): void {
    this.socket.write(bytes);
  }

  async ask(line: string): Promise<string> {
    this.send(`${line}\r\n`);
    return this.reply();
  }

  /** One whole reply with its line ends; if the connection ends first, what has come. */
  async reply(): Promise<string> {
    return this.take(/^(?:\d{3}-[^\n]*\n)*\d{3}(?: [^\n]*)?\r?\n/);
  }

  /** Bytes up to the end of the first match of `pattern`; the rest when the connection ends before. */
  async take(pattern: RegExp): Promise<string> {
    for (;;) {
      const text = this.heard.toString('latin1');
      const match = pattern.exec(text);
      const length = match ? match.index + match[0].length : this.ended ? text.length : null;
      if (length !== null) {
        this.heard = this.heard.subarray(length);
        return text.slice(0, length);
      }
      await this.change();
    }
  }

  /** Waits until the host hangs up. @returns the remaining bytes */
  async hungUp(): Promise<string> {
    while (!this.ended) await this.change();
    return this.heard.toString('latin1');
  }

  /** Starts TLS. @returns false if the host does not speak it */
  async secure(): Promise<boolean> {
    this.socket.removeAllListeners();
    const secured = connectTls({ socket: this.socket, rejectUnauthorized: false });
    const worked = await new Promise<boolean>((resolve) => {
      secured.once('secureConnect', () => resolve(true));
      secured.once('error', () => resolve(false));
    });
    this.socket = secured;
    this.listenTo(secured);
    return worked;
  }

  /** Received bytes not read yet. */
  get buffered(): number {
    return this.heard.length;
  }

  async change(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.wake = resolve;
    });
  }

  destroy(): void {
    this.socket.destroy();
  }

  private listenTo(socket: Socket): void {
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      this.packets += 1;
      this.heard = Buffer.concat([this.heard, chunk]);
      this.wake();
    });
    const over = (): void => {
      this.ended = true;
      this.wake();
    };
    socket.on('end', over);
    socket.on('close', over);
    socket.on('error', over);
  }
}
