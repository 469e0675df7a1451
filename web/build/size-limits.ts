import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Limits in kB (1,000 bytes) of what goes over the wire, gzipped. */
const LIMITS = {
  /** What a browser loads before it shows the sign-in page: script and styles. */
  firstPage: 150,
  /** What the frame behind the sign-in loads beside it, with the styles of every component. */
  shell: 130,
  /** What a page loads beside it. */
  page: 100,
  /** What is loaded when the page stands already: charts. */
  charts: 140,
};

/** The first page that a person sees: what it needs counts as the first page's. */
const FIRST_PAGE = '/pages/sign-in/sign-in-page.tsx';

interface Output {
  readonly type: 'chunk' | 'asset';
  readonly fileName: string;
}
interface Chunk extends Output {
  readonly type: 'chunk';
  readonly code: string;
  readonly isEntry: boolean;
  readonly facadeModuleId: string | null;
  readonly imports: readonly string[];
  readonly viteMetadata?: { readonly importedCss: ReadonlySet<string> };
}

/** Prints what each page loads, and fails the build above a limit. */
export function sizeLimits(): Plugin {
  return {
    name: 'mailvet:size-limits',
    apply: 'build',
    writeBundle(_options, bundle) {
      const outputs = bundle as unknown as Readonly<Record<string, Output & { source?: string | Uint8Array }>>;
      const chunks = Object.values(outputs).filter((one): one is Chunk => one.type === 'chunk');
      const filesOf = (roots: readonly Chunk[]): Set<string> => {
        const files = new Set<string>();
        const visit = (chunk: Chunk): void => {
          if (files.has(chunk.fileName)) return;
          files.add(chunk.fileName);
          for (const css of chunk.viteMetadata?.importedCss ?? []) files.add(css);
          for (const name of chunk.imports) {
            const next = outputs[name];
            if (next?.type === 'chunk') visit(next as Chunk);
          }
        };
        roots.forEach(visit);
        return files;
      };
      const sizeOf = (file: string): number => {
        const output = outputs[file];
        if (!output) return 0;
        return gzipSync(output.type === 'chunk' ? (output as Chunk).code : (output.source ?? '')).length / 1000;
      };
      const sum = (files: Iterable<string>): number => [...files].reduce((total, file) => total + sizeOf(file), 0);

      const first = filesOf(chunks.filter((one) => one.isEntry || one.facadeModuleId?.endsWith(FIRST_PAGE)));
      const rows = [{ name: 'first page', size: sum(first), limit: LIMITS.firstPage }];
      for (const chunk of chunks) {
        const module = chunk.facadeModuleId ?? '';
        const limit = limitOf(module);
        if (limit === null || module.endsWith(FIRST_PAGE)) continue;
        const size = sum([...filesOf([chunk])].filter((file) => !first.has(file)));
        rows.push({ name: module.replace(/^.*\//, '').replace('.tsx', ''), size, limit });
      }
      rows.sort((a, b) => b.size - a.size);
      for (const { name, size, limit } of rows) {
        console.log(`${name.padEnd(24)} ${size.toFixed(1).padStart(7)} kB gzipped, at most ${limit}`);
      }
      const over = rows.filter(({ size, limit }) => size > limit);
      if (over.length > 0) this.error(`Too large: ${over.map(({ name }) => name).join(', ')}.`);
    },
  };
}

function limitOf(module: string): number | null {
  if (module.endsWith('/shell.tsx')) return LIMITS.shell;
  if (module.endsWith('/day-bars.tsx')) return LIMITS.charts;
  return module.endsWith('-page.tsx') ? LIMITS.page : null;
}
