import { AddressRanges, parseAddressRange } from '../../engine/dns/address-range.js';
import { listedName } from '../../engine/signals/listed-name.js';
import type { DomainFacts } from '../domain-facts.js';
import {
  IDLE_NAME_SERVERS,
  PARKING_ADDRESSES,
  PARKING_MAIL_HOSTS,
  PARKING_NAME_SERVERS,
  PARKING_NETWORKS,
  SQUATTER_MAIL_HOSTS,
} from './data/parking-signals.js';

type ParkingFacts = Pick<DomainFacts, 'domain' | 'mx' | 'nameServers' | 'addresses' | 'mailHosts'>;

const parkingNameServers = new Set(PARKING_NAME_SERVERS);
const idleNameServers = new Set(IDLE_NAME_SERVERS);
const parkingMailHosts = new Set(PARKING_MAIL_HOSTS);
const squatterMailHosts = new Set(SQUATTER_MAIL_HOSTS);
const parkingNetworks = rangesOf(PARKING_NETWORKS);
const parkingAddresses = rangesOf(PARKING_ADDRESSES);

/**
 * Whether a domain is parked or for sale. One strong signal is enough: name servers, networks or mail hosts of
 * companies that only park domains. Weak signals count in pairs: an address that shows parking pages among others,
 * with a registrar's idle name servers, a squatter's mail hosts or no mail host; or a squatter's mail hosts with idle
 * name servers.
 *
 * False only if all parts are known, else null. A parking company's own names are not parked by its own servers.
 */
export function isParked({ domain, mx, nameServers, addresses, mailHosts }: ParkingFacts): boolean | null {
  const names = (hosts: readonly string[] | null, table: ReadonlySet<string>): boolean =>
    hosts !== null && hosts.some((host) => isOthersName(listedName(table, host), domain));
  const all = (ranges: AddressRanges): boolean =>
    addresses !== null && addresses.length > 0 && addresses.every((ip) => ranges.has(ip));

  const strong = names(nameServers, parkingNameServers) || names(mailHosts, parkingMailHosts) || all(parkingNetworks);
  const address = all(parkingAddresses);
  const squatter = names(mailHosts, squatterMailHosts);
  const idle = names(nameServers, idleNameServers);
  const weak = (address && (squatter || idle || mx === false)) || (squatter && idle);
  if (strong || weak) return true;
  return nameServers === null || addresses === null || mailHosts === null ? null : false;
}

/** A company's own domain is at or below the name of its servers. */
function isOthersName(listed: string | null, domain: string): boolean {
  return listed !== null && domain !== listed && !domain.endsWith(`.${listed}`);
}

/** @throws if an entry of the table is not a range: a bug in the table */
function rangesOf(texts: readonly string[]): AddressRanges {
  return new AddressRanges(
    texts.map((text) => {
      const range = parseAddressRange(text);
      if (range === null) throw new Error(`not an address range: ${text}`);
      return range;
    }),
  );
}
