import { readSpf } from '../../domains/records/spf-record.js';
import type { Deadline } from '../../engine/deadline.js';
import type { Resolver } from '../../engine/dns/resolver.js';
import { checkNames } from '../../platform/egress/check-names.js';
import type { WatchedEgress } from '../../platform/egress/watched-egress.js';
import { fault, ok, unknown, warning, type Finding } from './finding.js';

/**
 * Checks what mail hosts look up about a client: the HELO name, the reverse DNS of the source address, the SPF record
 * of the sender's domain. The source address is known if it was configured, or seen on an earlier connection.
 */
export async function findNameProblems(
  resolver: Resolver,
  egress: WatchedEgress,
  deadline: Deadline,
): Promise<Finding[]> {
  const { heloName, record } = egress;
  const [{ heloResolves, reverseMatches }, spf] = await Promise.all([
    checkNames(resolver, heloName, record.sources, deadline),
    findSpf(resolver, egress.mailFrom, deadline),
  ]);
  return [heloFinding(heloName, heloResolves), reverseFinding(heloName, record.sources, reverseMatches), spf];
}

function heloFinding(name: string, resolves: boolean | null): Finding {
  const check = 'HELO name';
  if (resolves === null) return unknown(check, `${name} could not be looked up`);
  if (resolves) return ok(check, `${name} resolves`);
  const advice = 'Set SMTP_HELO_NAME to a name whose A record is the address that probes come from.';
  return fault(check, `${name} does not resolve: mail hosts will refuse us`, advice);
}

function reverseFinding(heloName: string, sources: readonly string[], matches: boolean | null): Finding {
  const check = 'reverse DNS';
  if (sources.length === 0) {
    const advice = 'Behind NAT or a proxy: see that the PTR record of the public address is the HELO name.';
    return unknown(check, 'the public source address is not known from here', advice);
  }
  const shown = sources.join(', ');
  if (matches === null) return unknown(check, `the reverse DNS of ${shown} could not be looked up`);
  if (matches) return ok(check, `${shown} leads back to ${heloName}`);
  const advice = `Have the owner of the address set its PTR record to ${heloName}.`;
  return fault(check, `the reverse DNS of ${shown} does not say ${heloName}: mail hosts may refuse us`, advice);
}

async function findSpf(resolver: Resolver, mailFrom: string, deadline: Deadline): Promise<Finding> {
  const check = 'SPF of the sender';
  const domain = mailFrom.slice(mailFrom.lastIndexOf('@') + 1);
  const answer = await resolver.query(domain, 'TXT', { deadline });
  if (answer.kind === 'failure') return unknown(check, `${domain} could not be looked up`);
  const texts =
    answer.kind === 'records' ? answer.records.flatMap((record) => (record.type === 'TXT' ? [record.text] : [])) : [];
  const advice = `Publish a TXT record at ${domain} that names the source address, such as "v=spf1 a -all".`;
  const reading = readSpf(texts);
  if (reading === 'none') return warning(check, `${domain} has no SPF record`, advice);
  if (reading === 'permerror') {
    return fault(check, `the SPF record of ${domain} has an error: hosts that read SPF refuse us`, advice);
  }
  const record = texts.find((text) => /^v=spf1(?: |$)/i.test(text)) ?? '';
  return /^v=spf1 +-all *$/i.test(record)
    ? fault(check, `the SPF record of ${domain} allows no sender: hosts that read SPF refuse us`, advice)
    : ok(check, `${domain}: ${record.slice(0, 200)}`);
}
