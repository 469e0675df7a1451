import { runCli } from '../../../src/roles/cli.js';
import type { Laboratory } from '../../lab/laboratory.js';

export interface CommandEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** `verify-file` in this process, which has the variables of the laboratory. */
export async function verifyFile(...argv: string[]): Promise<CommandEnd> {
  const stdout: Buffer[] = [];
  let stderr = '';
  const code = await runCli(['verify-file', ...argv], {
    stdout: (output, done) => {
      stdout.push(Buffer.from(output));
      done();
    },
    stderr: (text) => void (stderr += text),
  });
  return { code, stdout: Buffer.concat(stdout).toString(), stderr };
}

/** The recipients that a laboratory's mail hosts were asked about, in lower case; random ones too. */
export function recipientsAsked(laboratory: Laboratory, hosts: readonly string[]): string[] {
  return hosts.flatMap((host) =>
    laboratory
      .sessions(host)
      .flatMap(({ commands }) => commands)
      .flatMap((command) => /^RCPT TO:<([^>]+)>/i.exec(command)?.[1]?.toLowerCase() ?? []),
  );
}
