/** A browser as far as cookies and redirects go. */
export class BrowserSession {
  private readonly cookies = new Map<string, Map<string, string>>();

  /** One request; a redirect is returned, not followed. */
  async send(
    url: string,
    init: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ): Promise<Response> {
    const { origin } = new URL(url);
    const jar = this.jarOf(origin);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...init.headers, ...(cookie === '' ? {} : { cookie }) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) keep(jar, line);
    return response;
  }

  /** Follows redirects up to an address that begins like this, or an answer that is none. */
  async follow(url: string, until: string): Promise<{ readonly url: string; readonly response: Response }> {
    let at = url;
    for (let hops = 0; hops < 20; hops++) {
      const response = await this.send(at);
      const location = response.headers.get('location');
      if (location === null) return { url: at, response };
      await response.arrayBuffer();
      at = new URL(location, at).href;
      if (at.startsWith(until)) return { url: at, response };
    }
    throw new Error('too many redirects');
  }

  /** JSON, as the page of the console sends it. */
  json(url: string, method: string, body?: unknown): Promise<Response> {
    const headers = { origin: new URL(url).origin, 'content-type': 'application/json' };
    return this.send(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  }

  private jarOf(origin: string): Map<string, string> {
    const jar = this.cookies.get(origin) ?? new Map<string, string>();
    this.cookies.set(origin, jar);
    return jar;
  }
}

function keep(jar: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const [name = '', value = ''] = pair.split(/=(.*)/s);
  const isOver = attributes.some((attribute) => /^(max-age=0|expires=thu, 01 jan 1970)/i.test(attribute));
  if (isOver) jar.delete(name);
  else jar.set(name, value);
}
