import type { MailProvider } from '../provider.js';
import type { ProviderRow } from './provider-row.js';
import { PROVIDER_TABLE } from './provider-table.js';

interface HostRule {
  /** Required prefix of the host's name; may be empty. */
  readonly prefix: string;
  readonly provider: MailProvider;
}

const RULES = rulesBySuffix(PROVIDER_TABLE);

/**
 * The provider of a mail host: the table's longest name that the host's name ends with, at a dot; null if none. Accepts
 * upper case and a trailing dot.
 */
export function findProvider(mailHost: string): MailProvider | null {
  const host = mailHost.toLowerCase().replace(/\.$/, '');
  for (let start = 0; start !== -1 && start < host.length; start = nextLabel(host, start)) {
    const rule = RULES.get(host.slice(start))?.find(({ prefix }) => host.startsWith(prefix));
    if (rule) return rule.provider;
  }
  return null;
}

function nextLabel(host: string, start: number): number {
  const dot = host.indexOf('.', start);
  return dot === -1 ? -1 : dot + 1;
}

function rulesBySuffix(table: readonly ProviderRow[]): ReadonlyMap<string, readonly HostRule[]> {
  const rules = new Map<string, HostRule[]>();
  for (const row of table) {
    const provider = providerOf(row);
    for (const name of row.hosts) {
      const wildcard = name.indexOf('*.');
      const suffix = wildcard === -1 ? name : name.slice(wildcard + 2);
      const rule = { prefix: wildcard === -1 ? '' : name.slice(0, wildcard), provider };
      rules.set(suffix, [...(rules.get(suffix) ?? []), rule]);
    }
  }
  return rules;
}

function providerOf({ id, name, kind, acceptsAll, randomProbeMeaningful = true, limits }: ProviderRow): MailProvider {
  return Object.freeze({ id, name, kind, acceptsAll, randomProbeMeaningful, ...limits });
}
