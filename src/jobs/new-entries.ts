import { setImmediate as nextTurn } from 'node:timers/promises';
import { unitPrice } from '../billing/price.js';
import { readListEntry, type ListEntry } from '../verify/batch-entry.js';
import type { JobMode } from './job.js';

/** An entry to store at the submit, in the order of the list. */
export interface NewEntry {
  /** The address as it was sent; null for an invalid one, which has its result already. */
  readonly sent: string | null;
  /** Credits charged; 0: free. */
  readonly unitPrice: number;
  /** JSON text of the result of an invalid address. */
  readonly result: string | null;
}

/** Finds the known catch-all domains (A-labels, lowercase) among `domains`. */
export type FindCatchAlls = (domains: readonly string[]) => Promise<{ has(domain: string): boolean }>;

/** Entries read without a break, some of them long; other requests are served in between. */
const SLICE = 100;
/** Entries whose domains are looked up in one query. */
const ASKED_AT_ONCE = 500;

/** Reads the entries of a job and prices each of them (decisions 4.2). */
export async function readNewEntries(
  emails: readonly unknown[],
  mode: JobMode,
  findCatchAlls: FindCatchAlls,
): Promise<NewEntry[]> {
  const entries: NewEntry[] = [];
  for (let from = 0; from < emails.length; from += ASKED_AT_ONCE) {
    const read = await readInSlices(emails.slice(from, from + ASKED_AT_ONCE));
    // Only enhanced checks cost less at a known catch-all, where nothing is left to find out.
    const catchAlls = mode === 'enhanced' ? await findCatchAlls(domainsOf(read)) : null;
    for (const entry of read) entries.push(toNewEntry(entry, mode, catchAlls));
  }
  return entries;
}

async function readInSlices(emails: readonly unknown[]): Promise<ListEntry[]> {
  const read: ListEntry[] = [];
  for (let from = 0; from < emails.length; from += SLICE) {
    // Yield before the first slice too: the body has just been parsed.
    await nextTurn();
    read.push(...emails.slice(from, from + SLICE).map(readListEntry));
  }
  return read;
}

function toNewEntry(entry: ListEntry, mode: JobMode, catchAlls: { has(domain: string): boolean } | null): NewEntry {
  if (entry.kind === 'no_address') return { sent: null, unitPrice: 0, result: JSON.stringify(entry.error) };
  const knownCatchAll = catchAlls?.has(entry.address.domain) === true;
  return { sent: entry.sent, unitPrice: unitPrice({ mode, knownCatchAll }), result: null };
}

function domainsOf(entries: readonly ListEntry[]): string[] {
  return [...new Set(entries.flatMap((entry) => (entry.kind === 'address' ? [entry.address.domain] : [])))];
}
