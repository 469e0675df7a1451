import type { ConnectionSettings } from './connection.js';

export interface MailvetOptions {
  /** Where the service is; left out: the environment variable `MAILVET_URL`. */
  readonly url?: string | undefined;
  /** The API key; left out: the environment variable `MAILVET_KEY`. */
  readonly key?: string | undefined;
  /** How often a call is repeated that was refused for now (429, 503) or whose connection broke; 5 when left out. */
  readonly retries?: number | undefined;
  /** If the service asks to wait longer than this, the call fails at once; one minute when left out. */
  readonly maxWaitMs?: number | undefined;
  /** For one try of a call, answer included; one minute when left out. */
  readonly timeoutMs?: number | undefined;
  /** Sends the requests; `fetch` of Node when left out. */
  readonly fetch?: typeof fetch | undefined;
}

const MINUTE_MS = 60_000;

/** Fills in what was left out. */
export function readSettings(options: MailvetOptions): ConnectionSettings {
  refuseBrowsers();
  const url = options.url ?? environment('MAILVET_URL');
  const key = (options.key ?? environment('MAILVET_KEY'))?.trim();
  if (!url) throw new TypeError('Mailvet needs the URL of the service: the option `url`, or the variable MAILVET_URL.');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new TypeError('The URL of the service (`url`, or MAILVET_URL) must begin with https:// or http://.');
  }
  if (new URL(url).username !== '' || new URL(url).password !== '') {
    throw new TypeError('The URL of the service (`url`, or MAILVET_URL) must hold no name and no password.');
  }
  if (!key) throw new TypeError('Mailvet needs an API key: the option `key`, or the variable MAILVET_KEY.');
  // No header could carry it, and the error of `fetch` would show it.
  if (!/^[\x21-\x7E]+$/.test(key)) {
    throw new TypeError('The API key (`key`, or MAILVET_KEY) holds a character that no key has: copy it again.');
  }
  const { retries = 5, maxWaitMs = MINUTE_MS, timeoutMs = MINUTE_MS, fetch } = options;
  for (const [name, value] of Object.entries({ retries, maxWaitMs, timeoutMs })) {
    if (!(value >= 0)) throw new TypeError(`The option \`${name}\` must be a number from 0 on.`);
  }
  return { url: new URL(url), key, retries, maxWaitMs, timeoutMs, fetch };
}

function refuseBrowsers(): void {
  if ('document' in globalThis || 'WorkerGlobalScope' in globalThis) {
    throw new Error(
      'The Mailvet client does not run in a browser: everybody who opens the page could read the API key. Call it on a server.',
    );
  }
}

/** Typed by hand: programs that use the client need no types of Node. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}
