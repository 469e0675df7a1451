import { join } from 'node:path';
import { allOf } from './all-of.mjs';
import { buildBench, buildClients, buildLab, buildPage, buildProduct } from './build.mjs';
import { installDependencies } from './dependencies.mjs';
import { exclusively } from './exclusively.mjs';
import { root } from './paths.mjs';

/**
 * Dependencies and builds, each only where needed; one script at a time, as all of them share node_modules and dist.
 * @param {{ keeper: import('./open-keeper.mjs').Keeper, folder: string, development?: boolean, build?: boolean, lab?: boolean, bench?: boolean, clients?: boolean }} what
 */
export async function prepare({
  keeper,
  folder,
  development = true,
  build = true,
  lab = true,
  bench = false,
  clients = false,
}) {
  const logs = join(folder, 'logs');
  await exclusively(join(root, '.local', 'preparing'), async () => {
    await installDependencies(keeper, logs, { development });
    await allOf(
      build && buildProduct(keeper, logs),
      build && buildPage(keeper, logs),
      lab && buildLab(keeper, logs),
      clients && buildClients(keeper, logs),
      bench && buildBench(keeper, logs),
    );
  });
}
