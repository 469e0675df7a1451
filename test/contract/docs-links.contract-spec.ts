import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');

function filesBelow(folder: string, ending: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

const rootPages = readdirSync(ROOT).filter((name) => name.endsWith('.md'));
const pages = [
  ...rootPages.map((name) => join(ROOT, name)),
  ...['docs', 'test', 'bench'].flatMap((folder) => filesBelow(folder, /\.md$/)),
  ...['typescript', 'mcp'].map((name) => join(ROOT, 'clients', name, 'README.md')),
];

/** Anchors as hosts of Markdown make them: lower case, punctuation dropped, a hyphen for each space. */
function anchorsOf(text: string): Set<string> {
  const prose = text.replaceAll(/^```.*?^```/gms, '');
  const headings = [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function brokenLinksOf(page: string): string[] {
  const text = readFileSync(page, 'utf8').replaceAll(/^```.*?^```/gms, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : resolve(dirname(page), path);
      if (!existsSync(target)) return true;
      return anchor !== undefined && target.endsWith('.md') && !anchorsOf(readFileSync(target, 'utf8')).has(anchor);
    });
}

it.each(pages.map((page) => [relative(ROOT, page), page] as const))('%s links only to existing targets', (_, page) => {
  expect(brokenLinksOf(page)).toEqual([]);
});

it('every page of docs/ is reachable from the README', () => {
  const reached = new Set([join(ROOT, 'README.md')]);
  for (const page of reached) {
    for (const [, link = ''] of readFileSync(page, 'utf8').matchAll(/\]\(([^)\s#]+\.md)[^)]*\)/g)) {
      const target = resolve(dirname(page), link);
      if (!/^[a-z]+:/.test(link) && existsSync(target)) reached.add(target);
    }
  }
  const unreached = filesBelow('docs', /\.md$/).filter((page) => !reached.has(page));
  expect(unreached.map((page) => relative(ROOT, page))).toEqual([]);
});

it('every decision that code, tests or docs cite is in docs/decisions.md', () => {
  const text = readFileSync(join(ROOT, 'docs/decisions.md'), 'utf8');
  const known = new Set([...text.matchAll(/^(?:\*\*|## )(\d+(?:\.\d+)?)/gm)].map(([, number]) => number));
  expect(known.size).toBeGreaterThan(40);
  const sources = ['src', 'test', 'docs', 'scripts', 'migrations', 'bench'].flatMap((folder) =>
    filesBelow(folder, /\.(ts|mjs|cjs|md)$/),
  );
  const cited = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/decisions? (\d+(?:\.\d+)?)/g)].map(
      ([, number = '']) => `${number} in ${relative(ROOT, file)}`,
    ),
  );
  expect(cited.length).toBeGreaterThan(100);
  expect(cited.filter((citation) => !known.has(citation.split(' ')[0]))).toEqual([]);
});

it('calls of the API take URL and key from the variables of the quick start', () => {
  const commands = filesBelow('docs', /\.md$/).flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/^ *```sh\n(.*?)^ *```/gms)].map(([, command = '']) => command),
  );
  const calls = commands.filter((command) => command.includes('X-API-Key'));
  expect(calls.length).toBeGreaterThan(5);
  const variables = calls.flatMap((call) => [...call.matchAll(/\$(\w+)/g)].map(([, name]) => name));
  expect(new Set(variables)).toEqual(new Set(['MAILVET_KEY', 'MAILVET_URL']));
});

it('docs/data-protection.md says what each table of docs/tables.md keeps', () => {
  const [tables, kept] = ['tables', 'data-protection'].map((name) =>
    readFileSync(join(ROOT, `docs/${name}.md`), 'utf8'),
  );
  const names = [...tables!.matchAll(/^### `(\w+)`/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name) => !kept!.includes(`\`${name}\``))).toEqual([]);
});
