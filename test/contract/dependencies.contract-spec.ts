import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');

interface Package {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  /** Set where it is a binary for some machines. */
  readonly cpu?: readonly string[];
}

const manifest = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8')) as Record<
  string,
  Record<string, string>
>;
const lockOf = (folder: string) =>
  JSON.parse(readFileSync(resolve(ROOT, folder, 'package-lock.json'), 'utf8')) as {
    readonly lockfileVersion: number;
    readonly packages: Readonly<Record<string, Package>>;
  };
/** The page of the console: the product holds the built files. */
const page = JSON.parse(readFileSync(resolve(ROOT, 'web/package.json'), 'utf8')) as typeof manifest;
const { lockfileVersion, packages } = lockOf('.');
const runtimes = Object.entries(lockOf('scripts/runtimes').packages).filter(([path]) => path !== '');
/** What `npm run check:openapi` installs, apart from the product. */
const tools = JSON.parse(readFileSync(resolve(ROOT, 'scripts/openapi-tools/package.json'), 'utf8')) as typeof manifest;
const ofTools = Object.entries(lockOf('scripts/openapi-tools').packages).filter(([path]) => path !== '');
/** The client, which brings no other package. */
const client = JSON.parse(readFileSync(resolve(ROOT, 'clients/typescript/package.json'), 'utf8')) as typeof manifest;
const mcp = JSON.parse(readFileSync(resolve(ROOT, 'clients/mcp/package.json'), 'utf8')) as typeof manifest;
/** The laboratory, a part of tests and of the demonstration. */
const lab = JSON.parse(readFileSync(resolve(ROOT, 'test/lab/package.json'), 'utf8')) as typeof manifest;
const folders = ['web', 'test/lab', 'clients/typescript', 'clients/mcp'];
const ours = new Set([
  '',
  ...folders,
  ...['web', 'lab', 'client', 'mcp'].map((name) => `node_modules/@mailvet/${name}`),
]);
const installed = Object.entries(packages).filter(([path]) => !ours.has(path));

/** Left out where npm was told not to write down which mirror it asked: then it is the registry too. */
const FROM_REGISTRY = /^$|^https:\/\/registry\.npmjs\.org\//;

/** Licences that may be used in a product and passed on with it, without a duty to open what is built on them. */
const ALLOWED = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Python-2.0',
]);
/** `(MIT OR Apache-2.0)`: one of them is enough. `A AND B`: both have to be. */
const isAllowed = (license = ''): boolean =>
  license
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((one) => one.split(' AND ').every((name) => ALLOWED.has(name)));

/** What the dependencies of a part ask for: of '', the product, it is what an image holds. */
function askedForBy(part: string, without: readonly string[] = []): Set<string> {
  const found = new Set<string>();
  const add = (from: string, { dependencies, optionalDependencies, peerDependencies }: Package): void => {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const path = placeOf(name, from);
      if (path === undefined || found.has(path) || without.includes(name)) continue;
      found.add(path);
      add(path, packages[path]!);
    }
  };
  add(part, packages[part]!);
  return found;
}

/** Where Node finds a package from inside another: in its own node_modules, or in those of a folder above. */
function placeOf(name: string, from: string): string | undefined {
  const parts = from.split('/node_modules/');
  const above = parts.map((_, i) => parts.slice(0, parts.length - i).join('/node_modules/'));
  return [
    ...above.filter((path) => path !== '').map((path) => `${path}/node_modules/${name}`),
    `node_modules/${name}`,
  ].find((path) => path in packages);
}

describe('dependencies', () => {
  it('have exact versions', () => {
    const asked = [
      manifest['dependencies'],
      ...[page, lab, mcp].map((each) => each['dependencies']),
      ...[manifest, page, tools].map((each) => each['devDependencies']),
    ].flatMap((each) => Object.entries(each!));
    expect(client['dependencies']).toBeUndefined();
    expect(asked.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  it('come from the registry, each with its hash', () => {
    expect(lockfileVersion).toBe(3);
    expect(runtimes).toHaveLength(4);
    const odd = [...installed, ...runtimes, ...ofTools].filter(
      ([, { resolved = '', integrity = '', link }]) =>
        link === true || !FROM_REGISTRY.test(resolved) || !/^sha512-[\w+/=]{88}$/.test(integrity),
    );
    expect(odd.map(([path]) => path)).toEqual([]);
  });

  it('that are passed on with the product, its page or its clients have licences that allow that', () => {
    const builders = ['vite', '@vitejs/plugin-react'];
    const passedOn = [askedForBy(''), askedForBy('web', builders), askedForBy('clients/mcp')].map((each) => [...each]);
    for (const each of passedOn) expect(each.length).toBeGreaterThan(50);
    const odd = passedOn.flat().filter((path) => !ours.has(path) && !isAllowed(packages[path]!.license));
    expect(odd.map((path) => `${path}: ${packages[path]!.license}`)).toEqual([]);
  });

  it('that build product, page and laboratory are there without those for development', () => {
    const builders = ['rolldown', 'vite', '@vitejs/plugin-react', 'smtp-server'];
    expect(builders.filter((name) => packages[`node_modules/${name}`]?.dev !== undefined)).toEqual([]);
  });

  it('for production are few, since each can break or be compromised', () => {
    // Of a binary for many platforms one is installed.
    const everywhere = [...askedForBy('')].filter((path) => packages[path]?.cpu === undefined);
    expect(everywhere.length).toBeGreaterThan(50);
    expect(everywhere.length).toBeLessThan(200);
  });

  it('run no install scripts, and no script of ours relies on npm hooks', () => {
    expect(readFileSync(resolve(ROOT, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
    const names = Object.keys(manifest['scripts'] ?? {});
    expect(names.filter((name) => names.includes(name.replace(/^(pre|post)/, '')) && /^(pre|post)/.test(name))).toEqual(
      [],
    );
    expect(names.filter((name) => /^(pre|post)?(install|prepare|publish|pack)/.test(name))).toEqual([]);
  });
});
