import { LoopbackRange } from '../../lab/loopback.js';
import { freePort } from '../../support/free-port.js';
import { isDnsPortFree } from './dns-port.js';

/** Where the servers of one bench stand: each on a loopback address of its own, all on one port that was free. */
export class Places {
  private readonly given = new Map<string, string>();

  private constructor(
    private readonly range: LoopbackRange,
    readonly port: number,
    /** Where mail servers ask name servers; null where that port cannot be had. */
    readonly dnsPort: number | null,
  ) {}

  static async find(): Promise<Places> {
    const range = new LoopbackRange();
    return new Places(range, await freePort(range.next()), isDnsPortFree() ? 53 : null);
  }

  /** The address of the server of this name, the same each time. */
  address(name: string): string {
    const known = this.given.get(name);
    if (known !== undefined) return known;
    const address = this.range.next();
    this.given.set(name, address);
    return address;
  }

  /** `address:port` of the server of this name. */
  endpoint(name: string): string {
    return `${this.address(name)}:${this.port}`;
  }

  /** Addresses given so far, by name. */
  all(): ReadonlyMap<string, string> {
    return this.given;
  }
}
