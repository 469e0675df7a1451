import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const DOCUMENT = readFileSync(resolve(ROOT, 'SECURITY.md'), 'utf8');
const threats = (DOCUMENT.split('\n## Threats\n')[1]?.split('\n## ')[0] ?? '').split('\n### ').slice(1);
const named = [...DOCUMENT.matchAll(/^- `([^`]+spec\.ts)`: (.+)$/gm)].map(
  ([, file = '', name = '']) => [file, name] as const,
);

describe('SECURITY.md', () => {
  it('names a test for every threat', () => {
    expect(threats.length).toBeGreaterThanOrEqual(10);
    for (const threat of threats) {
      expect([threat.split('\n')[0], /^- `[^`]+spec\.ts`: /m.test(threat)]).toEqual([threat.split('\n')[0], true]);
    }
  });

  it.each(named)('%s has: %s', (file, name) => {
    expect(existsSync(resolve(ROOT, file))).toBe(true);
    const text = readFileSync(resolve(ROOT, file), 'utf8');
    expect(["'", '"', '`'].some((quote) => text.includes(quote + name))).toBe(true);
  });

  it('links only to existing files', () => {
    const links = [...DOCUMENT.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !existsSync(resolve(ROOT, link)))).toEqual([]);
  });
});
