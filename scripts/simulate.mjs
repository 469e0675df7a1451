/** npm run simulate -- [--addresses 1e9] …: bundles the model, `simulator/`, with what it reads of the product, and runs it. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { root } from './lib/paths.mjs';

const file = join(root, '.local', 'build', 'simulator.mjs');
const bundle = await rolldown({ input: join(root, 'simulator', 'main.ts'), platform: 'node', logLevel: 'silent' });
await bundle.write({ file, format: 'esm', codeSplitting: false });
await import(pathToFileURL(file).href);
