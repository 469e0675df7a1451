import { join, resolve } from 'node:path';
import ts from 'typescript';
import type { Manifest } from './kustomize.js';

const ROOT = resolve(__dirname, '../../..');
const FILE = join(ROOT, 'manifests.ts');
const OPTIONS: ts.CompilerOptions = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  types: [],
  lib: ['lib.es5.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

/** Kinds of Kubernetes itself, by the part of `kubernetes-types` that describes them. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  'core/v1': ['Namespace', 'ServiceAccount', 'ConfigMap', 'Service'],
  'apps/v1': ['Deployment'],
  'batch/v1': ['Job'],
  'policy/v1': ['PodDisruptionBudget'],
  'autoscaling/v2': ['HorizontalPodAutoscaler'],
  'networking/v1': ['NetworkPolicy', 'Ingress'],
};
const API_VERSION: Readonly<Record<string, string>> = { 'core/v1': 'v1', 'networking/v1': 'networking.k8s.io/v1' };

/** Whether a manifest is of a kind of Kubernetes itself, and no custom resource. */
export function isBuiltIn({ apiVersion, kind }: Manifest): boolean {
  return Object.entries(KINDS).some(
    ([part, kinds]) => (API_VERSION[part] ?? part) === apiVersion && kinds.includes(kind),
  );
}

/**
 * Compares manifests with the types of the Kubernetes API, as object literals: unknown fields are errors, as with
 * `kubectl apply --validate=strict`. Returns the compiler's messages.
 */
export function fieldFaults(manifests: readonly Manifest[]): readonly string[] {
  const imports = Object.entries(KINDS).map(
    ([part, kinds]) => `import type { ${kinds.join(', ')} } from 'kubernetes-types/${part}';`,
  );
  const constants = manifests
    .filter(isBuiltIn)
    .map((manifest, i) => `export const manifest${i}: ${manifest.kind} = ${JSON.stringify(manifest)};`);
  const source = [...imports, ...constants].join('\n');
  const files = ts.createCompilerHost(OPTIONS);
  const host: ts.CompilerHost = {
    ...files,
    fileExists: (name) => name === FILE || files.fileExists(name),
    readFile: (name) => (name === FILE ? source : files.readFile(name)),
    getSourceFile: (name, language) =>
      name === FILE ? ts.createSourceFile(name, source, language) : files.getSourceFile(name, language),
  };
  const program = ts.createProgram([FILE], OPTIONS, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
