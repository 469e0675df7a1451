/**
 * Makes sure that the real mail and name servers of the tests are unpacked. The last line says where, as JSON:
 * `{"kind":"ready","tree":"…"}` or `{"kind":"impossible","why":"…"}`.
 */
import { unpackMailServers } from './lib/mail-servers.mjs';
import { explain } from './lib/run-script.mjs';
import { say } from './lib/say.mjs';

try {
  say(JSON.stringify(await unpackMailServers()));
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
