import { Trouble } from './trouble.mjs';

/** The stages of `npm test`, in order; all but the first and the last are projects of jest.config.js. */
const stageNames = ['check', 'unit', 'lab', 'integration', 'contract', 'e2e', 'browser', 'mta', 'runtimes'];
/** Of no use where some tests are asked for by name. */
const withoutFilter = new Set(['check', 'runtimes']);

const withoutServers = new Set(['check', 'unit', 'lab']);

/**
 * `npm test -- [--only unit,e2e] [part of a file name …]`. A file name leaves out the first stage and the last.
 * @param {string[]} args
 * @returns {{ stages: string[], filter: string[], needsServers: boolean }}
 */
export function parseTestArguments(args) {
  const filter = [];
  let only = null;
  for (let rest = [...args]; rest.length > 0;) {
    const arg = rest.shift();
    if (arg === '--only') only = (rest.shift() ?? '').split(',');
    else if (arg.startsWith('--only=')) only = arg.slice('--only='.length).split(',');
    else if (arg.startsWith('-')) throw new Trouble(`Unknown option ${arg}. ${usage}`);
    else filter.push(arg);
  }
  const unknown = only?.filter((name) => !stageNames.includes(name)) ?? [];
  if (unknown.length > 0) throw new Trouble(`Unknown stage "${unknown.join(', ')}". ${usage}`);
  const stages = stageNames.filter((name) =>
    only ? only.includes(name) : filter.length === 0 || !withoutFilter.has(name),
  );
  return { stages, filter, needsServers: stages.some((name) => !withoutServers.has(name)) };
}

const usage = `Usage: npm test -- [--only ${stageNames.join(',')}] [part of a test file's name …]`;
