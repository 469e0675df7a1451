import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A delivery as it came. */
export interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
  /** `performance.now()`. */
  readonly at: number;
}

export type Answer = (response: ServerResponse, received: Received, request: IncomingMessage) => void;

export const answerWith =
  (status: number, body = '', headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(body);

/** A server that takes deliveries, on a free port of an address of this machine. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  /** Connections that were opened. */
  connections = 0;
  answer: Answer = answerWith(204);
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((request, response) => void this.take(request, response));

  private constructor(private readonly address: string) {
    this.server.on('connection', (socket: Socket) => {
      this.connections++;
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  static async start(answer?: Answer, address = '127.0.0.1'): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(address);
    if (answer !== undefined) receiver.answer = answer;
    receiver.server.listen(0, address);
    await once(receiver.server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://${this.address}:${this.port}/hook`;
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const received = { headers: plain(request.headers), body: Buffer.concat(parts).toString(), at: performance.now() };
    this.received.push(received);
    this.answer(response, received, request);
  }
}

function plain(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
