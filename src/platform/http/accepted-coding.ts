export type Coding = 'br' | 'gzip' | 'identity';

/**
 * The best coding that an `Accept-Encoding` takes (RFC 9110 12.5.3) of those there are: brotli, then gzip, then none. Weights other
 * than 0 are as good as none.
 */
export function acceptedCoding(header: string | undefined, available: readonly Coding[]): Coding {
  const refused = new Set<string>();
  const accepted = new Set<string>();
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    if (name !== '') (weight !== undefined && Number(weight) === 0 ? refused : accepted).add(name);
  }
  const takes = (coding: Coding): boolean => accepted.has(coding) || (accepted.has('*') && !refused.has(coding));
  return (['br', 'gzip'] as const).find((coding) => available.includes(coding) && takes(coding)) ?? 'identity';
}
