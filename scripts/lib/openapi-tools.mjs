import { join } from 'node:path';
import { folderBeside, installBeside } from './install-beside.mjs';

const folder = 'openapi-tools';

/** The file of a tool that judges docs/openapi.json or writes a client of it. */
export const openapiTool = (program) => join(folderBeside(folder), 'node_modules', program);

/** @returns {Promise<string | null>} why they cannot be had; null: they are there */
export function installOpenapiTools(keeper, logs) {
  // npm's record is the last that it writes.
  const needed = [join('node_modules', '.package-lock.json')];
  return installBeside(keeper, { name: folder, what: 'Tools of OpenAPI', logs, needed });
}
