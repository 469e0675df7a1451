import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';

const ROOT = resolve(__dirname, '../../..');
export const FOLDER = join(ROOT, 'docker/k8s');

/** What stands in every manifest. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** Of an installation: folders of docker/k8s. */
export interface Parts {
  readonly resources: readonly string[];
  readonly components?: readonly string[];
  /** Changed settings, as `NAME=value`. */
  readonly settings?: readonly string[];
}

/** Whether `kubectl kustomize` is here, of a version that knows components. */
export const hasKustomize = kustomizeVersion() >= 5;
if (!hasKustomize) console.warn('SKIPPED: there is no kubectl 1.27 or later here, which builds the manifests');

function kustomizeVersion(): number {
  try {
    const version = execFileSync('kubectl', ['version', '--client', '--output=json'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const { kustomizeVersion: text = '' } = JSON.parse(String(version)) as { readonly kustomizeVersion?: string };
    return Number(/^v(\d+)\./.exec(text)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Builds an installation as an operator does, in a kustomization beside docker/k8s. */
export function build({ resources, components = [], settings = [] }: Parts): readonly Manifest[] {
  return buildText((inFolder) =>
    stringify({
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      namespace: 'mailvet',
      resources: resources.map(inFolder),
      components: components.map((name) => inFolder(`components/${name}`)),
      images: [{ name: 'mailvet', newName: 'registry.example.com/mailvet', newTag: '0.1.0' }],
      configMapGenerator: [{ name: 'mailvet', behavior: 'merge', literals: settings }],
    }),
  );
}

/** @param write writes a kustomization; it gets the path to a folder of docker/k8s */
export function buildText(write: (inFolder: (part: string) => string) => string): readonly Manifest[] {
  mkdirSync(join(ROOT, '.local'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, '.local', 'kustomize-'));
  try {
    writeFileSync(
      join(folder, 'kustomization.yaml'),
      write((part) => relative(folder, join(FOLDER, part))),
    );
    return kubectlKustomize(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Builds a folder with a kustomization of its own. */
export function kubectlKustomize(folder: string): readonly Manifest[] {
  const yaml = execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
  return parseAllDocuments(yaml, { strict: true }).map((document) => {
    if (document.errors.length > 0) throw document.errors[0]!;
    return document.toJS() as Manifest;
  });
}
