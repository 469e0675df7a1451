/** What people type: a domain, an address, or a link → the domain; '' when there is none. */
export function asDomain(text: string): string {
  const bare = text.trim().toLowerCase();
  const withoutScheme = bare.includes('://') ? bare.slice(bare.indexOf('://') + 3) : bare;
  const host = withoutScheme.split(/[/?#]/, 1)[0] ?? '';
  return (host.split('@').at(-1) ?? '').replace(/:\d+$/, '').replace(/\.$/, '');
}
