import { USUAL } from './provider-row.js';
import type { ProviderRow } from './provider-row.js';

const UNVERIFIED =
  'A filter in front of the real server: accepts every recipient unless the customer has switched recipient verification on.';

/** Security gateways. They accept mail for servers they often do not ask: an acceptance alone proves nothing. */
export const GATEWAY_PROVIDERS: readonly ProviderRow[] = [
  gateway('proofpoint', 'Proofpoint', ['pphosted.com', 'ppe-hosted.com']),
  {
    ...gateway('mimecast', 'Mimecast', ['mimecast.com', 'mimecast.co.za', 'mimecast-offshore.com']),
    // A random recipient is an unknown pair and gets 451, which says nothing about the domain.
    randomProbeMeaningful: false,
    reason:
      'Accepts all where the directory is not synchronised, and greylists unknown pairs of sender and recipient, so that a random recipient tells nothing.',
  },
  gateway('barracuda', 'Barracuda Email Gateway Defense', ['barracudanetworks.com', 'cudaops.com']),
  gateway('cisco', 'Cisco Secure Email', ['iphmx.com']),
  gateway('trendmicro', 'Trend Micro Email Security', ['trendmicro.com', 'trendmicro.eu']),
  gateway('symantec', 'Symantec Email Security.cloud', ['messagelabs.com', 'inboundmx.com']),
  gateway('forcepoint', 'Forcepoint', ['mailcontrol.com']),
  gateway('sophos', 'Sophos Email', ['sophos.com']),
  gateway('hornetsecurity', 'Hornetsecurity', ['hornetsecurity.com', 'antispameurope.com']),
  gateway('spamexperts', 'SpamExperts (N-able)', [
    'antispamcloud.com',
    'spamexperts.com',
    'spamexperts.eu',
    'spamexperts.net',
  ]),
  gateway('trellix', 'Trellix (FireEye)', ['fireeyecloud.com']),
  gateway('cyren', 'Cyren', ['ctmail.com', 'expurgate.net']),
  gateway('libraesva', 'Libraesva', ['esvacloud.com']),
  gateway('appriver', 'AppRiver', ['arsmtp.com']),
  gateway('mxlogic', 'McAfee SaaS (MX Logic)', ['mxlogic.net']),
  gateway('safentrix', 'Safentrix', ['safentrix.com']),
  gateway('siteground', 'SiteGround filter', ['mailspamprotection.com']),
];

function gateway(id: string, name: string, hosts: readonly string[]): ProviderRow {
  return { id, name, kind: 'gateway', hosts, acceptsAll: 'sometimes', reason: UNVERIFIED, limits: USUAL };
}
