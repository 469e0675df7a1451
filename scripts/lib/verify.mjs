/**
 * One call of `POST /v1/verify/single`.
 * @param {{ url: string, key: string }} api
 * @param {{ email: string, mode?: string }} body
 * @returns {Promise<{ status: number, body: any, ms: number }>}
 */
export async function verifySingle({ url, key }, body) {
  const began = performance.now();
  const response = await fetch(`${url}/v1/verify/single`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  const answer = await response.json();
  return { status: response.status, body: answer, ms: Math.round(performance.now() - began) };
}

/** A command to paste into a terminal that verifies one address. */
export function curlLine({ url, key }, body) {
  return [
    `curl -s ${url}/v1/verify/single \\`,
    `  -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
}
