import { isIP } from 'node:net';
import { isPublicAddress } from '../../engine/dns/public-address.js';

/** Says whether an address may be connected to. Asked right before connecting, with the address actually used. */
export type Clearance = (address: string) => boolean;

/**
 * The rule of decisions 6.2: public addresses only. `allowPrivateNetworks` lifts it for laboratories; what is no IP address
 * is refused even then, since connecting to it would ask the system's resolver and go wherever that says.
 */
export function clearance(allowPrivateNetworks: boolean): Clearance {
  return allowPrivateNetworks ? (address) => isIP(address) !== 0 : isPublicAddress;
}
