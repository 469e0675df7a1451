import type { DnsAnswer } from '../../../engine/dns/resolver.js';
import type { Inquirer } from '../subject.js';

/** Enough to recognize a parking company. */
const MAX_KEPT = 20;

export const nameServers: Inquirer<'name_servers'> = async ({ domain, questions }) => {
  const answer = await questions.ask(domain, 'NS');
  const names = (data: DnsData): string[] => (data.type === 'NS' ? [data.name] : []);
  return { nameServers: valuesOf([answer], names) };
};

/** Addresses of the domain and of `www.` below it. */
export const addresses: Inquirer<'addresses'> = async ({ domain, questions }) => {
  const names = [domain, `www.${domain}`];
  const answers = await Promise.all(names.flatMap((name) => [questions.ask(name, 'A'), questions.ask(name, 'AAAA')]));
  const ips = (data: DnsData): string[] => (data.type === 'A' || data.type === 'AAAA' ? [data.address] : []);
  return { addresses: valuesOf(answers, ips) };
};

type DnsData = Extract<DnsAnswer, { kind: 'records' }>['records'][number];

/** Without repeats; null if an answer is missing. */
function valuesOf(answers: readonly DnsAnswer[], read: (data: DnsData) => string[]): readonly string[] | null {
  if (answers.some(({ kind }) => kind === 'failure')) return null;
  const values = answers.flatMap((answer) => (answer.kind === 'records' ? answer.records.flatMap(read) : []));
  return [...new Set(values)].slice(0, MAX_KEPT);
}
