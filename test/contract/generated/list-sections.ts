import { readFileSync } from 'node:fs';
import { DOMAIN_TYPES } from '../../../src/domains/classify/classify-domain.js';
import { LIST_FAULTS } from '../../../src/domains/lists/judge-list.js';
import { FETCH_FAULTS } from '../../../src/domains/lists/list-fetcher.js';
import { ACCESS_PROVIDER_DOMAINS } from '../../../src/engine/signals/data/access-provider-domains.js';
import { DISPOSABLE_MAIL_HOSTS } from '../../../src/engine/signals/data/disposable-mail-hosts.js';
import { FREEMAIL_DOMAINS } from '../../../src/engine/signals/data/freemail-domains.js';
import { RELAY_SERVICES } from '../../../src/engine/signals/data/relay-services.js';
import { ROLE_WORDS } from '../../../src/engine/signals/data/role-words.js';
import { LIST_NAMES, REFRESHABLE_LISTS } from '../../../src/engine/signals/refreshable-lists.js';
import { SHIPPED_LISTS } from '../../../src/engine/signals/shipped-lists.js';
import { PROVIDER_TABLE } from '../../../src/engine/smtp/providers/provider-table.js';
import { code, grouped, markdownTable } from './markdown.js';

const PACKAGES: Readonly<Record<string, string>> = {
  'npm package disposable-email-domains-js': 'disposable-email-domains-js/dist/dict/disposable_email_blocklist.json',
  'npm package disposable-domains': 'disposable-domains/index.json',
};

const TABLES: Readonly<Record<string, number>> = {
  'disposable-mx': DISPOSABLE_MAIL_HOSTS.length,
  freemail: FREEMAIL_DOMAINS.length + ACCESS_PROVIDER_DOMAINS.length,
  relay: RELAY_SERVICES.flatMap(({ domains }) => domains).length,
  role: ROLE_WORDS.length,
};

function entriesOf({ list, source }: (typeof SHIPPED_LISTS)[number]): number {
  const file = PACKAGES[source];
  if (file === undefined) return TABLES[list] ?? Number.NaN;
  return new Set(JSON.parse(readFileSync(require.resolve(file), 'utf8')) as string[]).size;
}

export function shippedLists(): string {
  const rows = SHIPPED_LISTS.map((shipped) => [
    code(shipped.list),
    shipped.version === null ? shipped.source : `${shipped.source} ${shipped.version}`,
    shipped.licence,
    shipped.dated,
    grouped(entriesOf(shipped)),
  ]);
  return markdownTable(['list', 'source', 'licence', 'dated', 'entries'], rows);
}

export function refreshableLists(): string {
  const rows = LIST_NAMES.map((name) => {
    const { entry, effect, maxEntries } = REFRESHABLE_LISTS[name];
    return [code(name), entry, effect, grouped(maxEntries)];
  });
  return markdownTable(['name', 'entry', 'effect', 'at most'], rows);
}

const MEANINGS: Readonly<Record<(typeof FETCH_FAULTS)[number] | (typeof LIST_FAULTS)[number], string>> = {
  unreachable:
    'the host has no DNS address, refuses the connection, or does not send a complete answer in time (30 seconds)',
  forbidden_address: 'the host has no public address (`SMTP_ALLOW_PRIVATE_NETWORKS` turns that off for tests)',
  certificate: 'the certificate is not valid for the host',
  redirect: 'the URL redirects: configure its target instead',
  status: 'any status other than 200, or 304 for a list fetched before',
  too_large: 'more than 8 MiB',
  empty: 'no entries',
  unreadable: 'more than half of the lines are no entries: a web page, for example',
  too_many: 'more entries than a list of that name may have',
  shrunk: 'half or less of the entries in force from the same URL',
  names_known_good:
    'it names a well-known mail provider (as a role: a first name), or more than 2 % of its entries (and more than 20) are public suffixes or on a contradicting shipped list',
};

export function listFaults(): string {
  const rows = [...FETCH_FAULTS, ...LIST_FAULTS].map((why) => [code(why), MEANINGS[why]]);
  return markdownTable(['why', ''], rows);
}

export function relayServices(): string {
  const services = new Map<string, { domains: string[]; hosts: string[]; notes: string[] }>();
  for (const { name, domains, mailHosts = [], subdomains, expiring } of RELAY_SERVICES) {
    const service = services.get(name) ?? { domains: [], hosts: [], notes: [] };
    service.domains.push(...domains.map((domain) => (subdomains === true ? `*.${domain}` : domain)));
    service.hosts.push(...mailHosts);
    if (expiring === true) service.notes.push('its aliases expire: disposable as well');
    services.set(name, service);
  }
  const rows = [...services].map(([name, { domains, hosts, notes }]) => [
    name,
    domains.map(code).join(' '),
    hosts.map(code).join(' '),
    [...new Set(notes)].join('; '),
  ]);
  return markdownTable(['`relay_provider`', 'domains', 'mail hosts of customers’ own domains', ''], rows);
}

export function acceptAllProviders(): string {
  const rows = (['always', 'sometimes'] as const).flatMap((manner) =>
    PROVIDER_TABLE.filter(({ acceptsAll }) => acceptsAll === manner).map(({ name, hosts, reason }) => [
      name,
      manner,
      hosts.map(code).join(' '),
      reason,
    ]),
  );
  return markdownTable(['provider', 'accepts all', 'mail hosts', 'why'], rows);
}

const TYPE_MEANINGS: Readonly<Record<(typeof DOMAIN_TYPES)[number], string>> = {
  company:
    'on none of the lists, with a web site, or mail bought for an organisation (a business suite or a filtering gateway)',
  custom: 'on none of the lists, in use, and nothing more is known',
  disposable: 'a throw-away provider, by name or mail host',
  education: '`.edu`, `.edu.xx`, `.ac.xx` and the like, or on the academic list',
  freemail: 'anybody may open a mailbox, by name, or by mail hosts that serve nothing else',
  government: '`.gov`, `.gov.xx`, `.mil` and the like, or on the list of governments',
  isp: 'an access provider, whose customers have mailboxes there',
  public: 'anybody may get a mailbox: `freemail`, `isp` or `disposable`',
};

export function domainTypes(): string {
  return markdownTable(
    ['type', ''],
    DOMAIN_TYPES.map((type) => [code(type), TYPE_MEANINGS[type]]),
  );
}

export function providerLimits(): string {
  const rows = PROVIDER_TABLE.map(({ name, acceptsAll, limits, reason }) => [
    name,
    String(limits.maxConnections),
    String(limits.recipientsPerMinute),
    String(limits.recipientsPerSession),
    acceptsAll,
    reason,
  ]);
  return markdownTable(['provider', 'connections', 'recipients', 'session', 'accepts all', 'what it does'], rows);
}
