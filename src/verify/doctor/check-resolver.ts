import type { Deadline } from '../../engine/deadline.js';
import { DnsResolver } from '../../engine/dns/dns-resolver.js';
import { formatDnsServer, type DnsServer } from '../../engine/dns/dns-servers.js';
import { fault, ok, warning, type Finding } from './finding.js';

/** A name that always exists, and one that never may (RFC 6761). */
const EXISTS = { name: '.', type: 'NS' } as const;
const NEVER = { name: 'mailvet-doctor.invalid', type: 'MX' } as const;

const ADVICE = 'Name a validating resolver of your own, on this machine or near it, in DNS_SERVERS.';

/** Tests whether a name server recurses, filters answers, and supports EDNS. */
export async function checkResolver(server: DnsServer, timeoutMs: number, deadline: Deadline): Promise<Finding> {
  const check = `resolver ${formatDnsServer(server)}`;
  const resolver = new DnsResolver({ servers: [server], timeoutMs, cacheEntries: 0 });
  try {
    const [exists, never] = await Promise.all([
      resolver.query(EXISTS.name, EXISTS.type, { deadline }),
      resolver.query(NEVER.name, NEVER.type, { deadline }),
    ]);
    const troubles = new Set(resolver.troubles.flat());
    if (exists.kind === 'failure') return fault(check, `does not answer (${exists.why})`, ADVICE);
    if (troubles.has('not_definite')) {
      return fault(check, 'filters or does not recurse: its "no" is never believed', ADVICE);
    }
    if (never.kind === 'records') return fault(check, 'answers for names that do not exist', ADVICE);
    if (troubles.has('no_edns')) return warning(check, 'answers, but not to EDNS', ADVICE);
    return ok(check, exists.kind === 'records' && exists.authenticated ? 'answers and validates' : 'answers');
  } finally {
    resolver.close();
  }
}
