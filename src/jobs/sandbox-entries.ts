import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseAddress } from '../engine/address/parse-address.js';
import { readListEntry } from '../verify/batch-entry.js';
import { SANDBOX_LOCAL_PARTS } from '../verify/sandbox/local-parts.js';
import { rateLimited, sandboxEntry } from '../verify/sandbox/sandbox.js';
import { noVerdicts, type JobMode, type VerdictCounts } from './job.js';
import type { StoredEntry } from './job.repository.js';
import { readNewEntries, type NewEntry } from './new-entries.js';

/** Entries of a sandbox job. */
export interface SandboxEntries {
  readonly entries: readonly NewEntry[];
  /** Milliseconds from the submit to the completion (decisions 7.3). */
  readonly takesMs: number;
  readonly counts: VerdictCounts;
}

const SLOW_JOB_MS = 3000;
/** Results made without a break; other requests are served in between. */
const SLICE = 100;

/** Reads the entries of a sandbox job: they are free. @throws AppError if a local part requests one */
export async function readSandboxEntries(emails: readonly unknown[], mode: JobMode): Promise<SandboxEntries> {
  const read = await readNewEntries(emails, 'standard', async () => new Set());
  const localParts = new Set(read.flatMap(({ sent }) => localPartOf(sent) ?? []));
  if (localParts.has(SANDBOX_LOCAL_PARTS.rateLimited)) throw rateLimited();
  const takesTime = SANDBOX_LOCAL_PARTS.takingTime.some((localPart) => localParts.has(localPart));
  return {
    entries: read.map((entry) => ({ ...entry, unitPrice: 0 })),
    takesMs: takesTime ? SLOW_JOB_MS : 0,
    counts: await countVerdicts(read, mode),
  };
}

async function countVerdicts(entries: readonly NewEntry[], mode: JobMode): Promise<VerdictCounts> {
  const counts = noVerdicts();
  for (const [i, { sent, result }] of entries.entries()) {
    if (i % SLICE === 0) await nextTurn();
    const entry = result === null ? sandboxEntry(readListEntry(sent), mode) : null;
    counts[entry !== null && 'result' in entry ? entry.result : 'error']++;
  }
  return counts;
}

/** Returns the JSON text of a sandbox entry's result. */
export function sandboxEntryText({ sent, result }: StoredEntry, mode: JobMode): string {
  return result ?? JSON.stringify(sandboxEntry(readListEntry(sent), mode));
}

function localPartOf(sent: string | null): string | null {
  const parsed = sent === null ? null : parseAddress(sent);
  return parsed?.ok === true ? parsed.address.localPart : null;
}
