import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** The shell, which draws no window of a browser, takes less processor time. */
const PLACES = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser'];
const executablePath = PLACES.find((place) => existsSync(place));

export const hasChromium = executablePath !== undefined;

/** No sandbox, which root cannot have; nothing that the browser does by itself; and no host but this machine. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

/** A browser of its own, with an empty profile. */
export function startChromium(): Promise<Browser> {
  if (executablePath === undefined)
    throw new Error('There is no Chromium here. Install it: apt-get install chromium-headless-shell');
  return chromium.launch({ executablePath, args: FLAGS, timeout: 120_000 });
}
