'use strict';

/**
 * The compiled operator command, loaded once for many commands, each a message `{ id, argv }`. Ends by itself when its parent
 * has disconnected, unless a command left something open.
 */
const { runCli } = require('../../.local/build/product/roles/cli.js');

process.on('message', ({ id, argv }) => {
  void run(argv).then((end) => process.send?.({ id, ...end }));
});

async function run(argv) {
  const written = { stdout: '', stderr: '' };
  const code = await runCli(argv, {
    stdout: (text, done) => {
      written.stdout += text;
      done();
    },
    stderr: (text) => (written.stderr += text),
  });
  return { code, ...written };
}
