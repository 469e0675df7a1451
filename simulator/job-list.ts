import type { HostClass, Internet } from './internet.js';
import { seededRandom } from '../src/platform/collections/seeded-random.js';
import {
  recipientOf,
  simulatedHost,
  type Behaviour,
  type Recipient,
  type SimulatedDomain,
  type SimulatedHost,
} from './world.js';

/** Makes the addresses of one job after the other: each job has the shares of the internet. */
export class JobLists {
  private readonly hosts = new Map<string, SimulatedHost>();
  private readonly domains = new Map<string, SimulatedDomain>();
  /** Fractions of an address of each class that are left over. */
  private left: readonly number[] = [];
  private readonly random = seededRandom(2);
  private made = 0;

  constructor(private readonly internet: Internet) {}

  next(addresses: number): Recipient[] {
    const counts = this.divide(addresses);
    const recipients = this.internet.classes.flatMap((one, index) => this.ofClass(one, counts[index]!));
    this.made += 1;
    return recipients;
  }

  /** Addresses of each class. What is left over of a class counts in the next jobs, so that rare ones come in turn. */
  private divide(addresses: number): number[] {
    const { classes } = this.internet;
    const all = classes.reduce((sum, { share }) => sum + share, 0);
    const due = classes.map(({ share }, index) => (this.left[index] ?? 0) + (share / all) * addresses);
    const counts = due.map((exact) => Math.max(0, Math.floor(exact)));
    for (let rest = addresses - counts.reduce((sum, count) => sum + count, 0); rest > 0; rest -= 1) {
      const owed = due.map((exact, index) => exact - counts[index]!);
      counts[owed.indexOf(Math.max(...owed))]! += 1;
    }
    this.left = due.map((exact, index) => exact - counts[index]!);
    return counts;
  }

  private ofClass(one: HostClass, addresses: number): Recipient[] {
    const isFew = typeof one.domains === 'number';
    const count = isFew ? one.domains : Math.max(1, Math.round(addresses / one.domains.perDomain));
    const domains = Array.from({ length: Math.min(count, addresses) }, (_, nth) =>
      this.domain(one, isFew ? `${nth}` : `${this.made}-${nth}`, isFew),
    );
    return Array.from({ length: addresses }, (_, i) =>
      recipientOf(domains[i % domains.length]!, this.random() < this.internet.existing),
    );
  }

  /** @param stays the domain is in every job */
  private domain(one: HostClass, label: string, stays: boolean): SimulatedDomain {
    const name = `${label}.${one.name}`;
    const known = this.domains.get(name);
    if (known !== undefined) return known;
    const domain = { name, host: one.host === null ? this.oddHost(label) : this.host(one.host) };
    if (stays) this.domains.set(name, domain);
    return domain;
  }

  private host(name: string): SimulatedHost {
    const { roundTripMs } = this.internet;
    const known = this.hosts.get(name) ?? simulatedHost(name, { roundTripMs });
    this.hosts.set(name, known);
    return known;
  }

  private oddHost(label: string): SimulatedHost {
    const { oddities, roundTripMs } = this.internet;
    const odd = oddities.filter(({ share }) => this.random() < share);
    const behaviour: Behaviour = Object.assign({ roundTripMs }, ...odd.map((one) => one.behaviour));
    return simulatedHost(`mx.h${label}.test`, behaviour);
  }
}
