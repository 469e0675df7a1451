import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { TestAuthority } from './certificates.js';

/** One host of a server of MTA-STS policies: what it presents and what it answers. */
export interface PolicyHost {
  readonly certificate?: 'good' | 'expired' | 'wrong_name' | 'unknown_authority';
  /** The body of a 200 as plain text, or whatever is done with the response. */
  readonly answer?: string | ((response: ServerResponse) => void);
}

const POLICY = 'version: STSv1\r\nmode: enforce\r\nmx: *.example\r\nmax_age: 86400\r\n';

const DAY_MS = 86_400_000;

/** An HTTPS server that is many hosts: it presents to each client the certificate of the host that was asked for. */
export class PolicyServer {
  private readonly requests = new Map<string, number>();
  private readonly sockets = new Set<Socket>();
  private readonly contexts = new Map<string, SecureContext>();
  private readonly stranger = new TestAuthority('Nobody’s authority');
  private readonly server: Server;

  private constructor(
    private readonly authority: TestAuthority,
    private readonly hosts: Readonly<Record<string, PolicyHost>>,
  ) {
    this.server = createServer({
      SNICallback: (name, done) => done(null, this.contextOf(name)),
      ...authority.issue({ names: ['nobody.invalid'] }),
    });
    this.server.on('connection', (socket: Socket) => {
      socket.on('error', () => undefined);
      this.sockets.add(socket);
    });
    this.server.on('tlsClientError', () => undefined);
    this.server.on('request', ({ headers, url }, response) => {
      const name = (headers.host ?? '').split(':')[0] ?? '';
      this.requests.set(name, this.requestsTo(name) + 1);
      const answer = this.hosts[name]?.answer ?? POLICY;
      if (url !== '/.well-known/mta-sts.txt') response.writeHead(404).end();
      else if (typeof answer === 'string') response.writeHead(200, { 'content-type': 'text/plain' }).end(answer);
      else answer(response);
    });
  }

  /** @param hosts by name, `mta-sts.` in front of the domain */
  static async start(
    authority: TestAuthority,
    hosts: Readonly<Record<string, PolicyHost>>,
    at: { readonly address: string; readonly port?: number } = { address: '127.0.0.1' },
  ): Promise<PolicyServer> {
    const policies = new PolicyServer(authority, hosts);
    policies.server.listen(at.port ?? 0, at.address);
    await once(policies.server, 'listening');
    return policies;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Connections of any kind since the start. */
  get connections(): number {
    return this.sockets.size;
  }

  requestsTo(host: string): number {
    return this.requests.get(host) ?? 0;
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private contextOf(name: string): SecureContext {
    const known = this.contexts.get(name);
    if (known !== undefined) return known;
    const kind = this.hosts[name]?.certificate ?? 'good';
    const issuer = kind === 'unknown_authority' ? this.stranger : this.authority;
    const context = createSecureContext(
      issuer.issue({
        names: [kind === 'wrong_name' ? `www.${name}` : name],
        ...(kind === 'expired' && {
          notBefore: new Date(Date.now() - 30 * DAY_MS),
          notAfter: new Date(Date.now() - DAY_MS),
        }),
      }),
    );
    this.contexts.set(name, context);
    return context;
  }
}
