/**
 * True if an `Accept` header (RFC 9110 12.5.1) names `text/csv` and does not prefer JSON; on a tie, the first named
 * wins. Ranges such as `text/*` do not count: the contract's response is JSON.
 */
export function wantsCsv(accept: string | undefined): boolean {
  if (accept === undefined || !accept.toLowerCase().includes('text/csv')) return false;
  const named = accept.split(',').map(weighted);
  const csv = named.find(({ type }) => type === 'text/csv');
  const json = named.find(({ type }) => type === 'application/json');
  if (csv === undefined || csv.weight === 0) return false;
  if (json === undefined || json.weight < csv.weight) return true;
  return json.weight === csv.weight && named.indexOf(csv) < named.indexOf(json);
}

function weighted(range: string): { readonly type: string; readonly weight: number } {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const given = parameters.find((parameter) => parameter.startsWith('q='));
  const weight = given === undefined ? 1 : Number(given.slice(2));
  return { type, weight: Number.isFinite(weight) ? weight : 1 };
}
