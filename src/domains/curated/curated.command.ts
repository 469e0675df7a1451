import type { Command } from 'commander';
import { basename } from 'node:path';
import type { CommandContext, CommandOutput } from '../../platform/cli/command-context.js';
import { CommandError } from '../../platform/cli/command-error.js';
import { table } from '../../platform/cli/table.js';
import { typedValue } from '../../platform/cli/typed-value.js';
import type { CuratedEntry, PutCounts, WantedEntry } from './curated-entries.repository.js';
import { CURATED_NOUNS, type CuratedNoun } from './curated-nouns.js';
import { entryTextRule, parseEntryText, type EntryText } from './entry-texts.js';
import type { ParsedEntry } from './parse-entry.js';
import type { LineFault } from './parse-import.js';

const WHEN = 'In effect everywhere within 5 seconds.';
/** Invalid lines that an import lists; the rest is only counted. */
const FAULTS_SHOWN = 20;

/** `blocklist`, `spamtrap` and `noprobe`, each with `add|remove|list`, and `import` for the first two. */
export function registerCuratedCommands(program: Command, context: CommandContext): void {
  for (const noun of CURATED_NOUNS)
    registerNoun(program.command(noun.noun).description(noun.description), noun, context);
}

function registerNoun(command: Command, noun: CuratedNoun, context: CommandContext): void {
  const { subject, subjectDescription, title } = noun;
  const add = command
    .command('add')
    .description(`add an entry to ${title}, or change its label and note`)
    .argument(`<${subject}>`, subjectDescription);
  if (noun.label !== null) add.option('--label <label>', noun.label, entryText('label'));
  add
    .option('--note <note>', 'for operators only; an empty one deletes it', entryText('note'))
    .action(context.action((text: string, texts: Texts) => addEntry(noun, text, texts, context)));

  command
    .command('remove')
    .description(`remove an entry from ${title}`)
    .argument(`<${subject}>`, `as \`${noun.noun} list\` shows it`)
    .action(context.action((text: string) => removeEntry(noun, text, context)));

  command
    .command('list')
    .description(`list the entries of ${title} with their notes, in alphabetical order`)
    .action(context.action(async () => listed(noun, await (await repository(context)).list(noun.kind), context)));

  if (!noun.importable) return;
  command
    .command('import')
    .description(`import a file into ${title}, or nothing if a line is invalid`)
    .argument('<file>', 'one domain per line, or CSV: domain,label,note')
    .action(context.action((file: string) => importFile(noun, file, context)));
}

type Texts = Partial<Record<EntryText, string>>;

function entryText(kind: EntryText): (text: string) => string {
  return typedValue(entryTextRule(kind), (text) => parseEntryText(kind, text));
}

async function repository(context: CommandContext) {
  const { CuratedEntriesRepository } = await import('./curated-entries.repository.js');
  return new CuratedEntriesRepository(await context.database());
}

/** @throws CommandError with a message that tells what to type instead */
async function entryOf({ parser, subject }: CuratedNoun, text: string): Promise<string> {
  const { [parser]: parse } = await import('./parse-entry.js');
  const parsed: ParsedEntry = parse(text);
  if (!parsed.ok) throw new CommandError(`<${subject}>: ${parsed.rule}`);
  return parsed.entry;
}

async function addEntry(noun: CuratedNoun, text: string, { label, note }: Texts, context: CommandContext) {
  const entry = await entryOf(noun, text);
  const wanted: WantedEntry = { entry, label: label === '' ? null : label, note: note === '' ? null : note };
  const entries = await repository(context);
  const counts = await entries.upsert(noun.kind, [wanted], (made) => ({
    actor: context.operator,
    action: `${noun.noun}.add`,
    subject: entry,
    details: { outcome: outcomeOf(made), ...(label === undefined ? {} : { label }) },
  }));
  const outcome = outcomeOf(counts);
  return { json: { [noun.subject]: entry, outcome }, text: `${entry} ${SAID[outcome](noun.title)}` };
}

type Outcome = keyof PutCounts;

function outcomeOf({ added, updated }: PutCounts): Outcome {
  if (added > 0) return 'added';
  return updated > 0 ? 'updated' : 'unchanged';
}

const SAID: Readonly<Record<Outcome, (title: string) => string>> = {
  added: (title) => `is on ${title} now. ${WHEN}`,
  updated: (title) => `was on ${title} before: what is said of it was updated. ${WHEN}`,
  unchanged: (title) => `was on ${title} before, just so: nothing was changed.`,
};

async function removeEntry(noun: CuratedNoun, text: string, context: CommandContext): Promise<CommandOutput> {
  const entry = await entryOf(noun, text);
  const act = { actor: context.operator, action: `${noun.noun}.remove`, subject: entry };
  if (!(await (await repository(context)).remove(noun.kind, entry, act))) {
    const see = `To see what is, type: ${context.programName} ${noun.noun} list`;
    throw new CommandError(`${entry} is not on ${noun.title}. ${see}`);
  }
  return { json: { [noun.subject]: entry, outcome: 'removed' }, text: `${entry} is off ${noun.title}. ${WHEN}` };
}

async function importFile(noun: CuratedNoun, file: string, context: CommandContext): Promise<CommandOutput> {
  const [{ readImportFile }, { parseImport }, parsers] = await Promise.all([
    import('./read-import-file.js'),
    import('./parse-import.js'),
    import('./parse-entry.js'),
  ]);
  const { entries, faults } = parseImport(await readImportFile(file), parsers[noun.parser]);
  if (faults.length > 0) throw new CommandError(describeFaults(faults));
  const counts = await (
    await repository(context)
  ).upsert(noun.kind, entries, (made) => ({
    actor: context.operator,
    action: `${noun.noun}.import`,
    subject: null,
    details: { file: basename(file), ...made },
  }));
  const { added, updated, unchanged } = counts;
  const when = added + updated > 0 ? ` ${WHEN}` : '';
  return { json: counts, text: `${added} added, ${updated} updated, ${unchanged} unchanged.${when}` };
}

function describeFaults(faults: readonly LineFault[]): string {
  const shown = faults.slice(0, FAULTS_SHOWN).map(({ line, rule }) => `line ${line} ${rule}`);
  const more = faults.length > FAULTS_SHOWN ? `; and ${faults.length - FAULTS_SHOWN} more` : '';
  const bad = faults.length === 1 ? '1 bad line' : `${faults.length} bad lines`;
  return `nothing was imported, for ${bad}: ${shown.join('; ')}${more}`;
}

function listed(noun: CuratedNoun, entries: readonly CuratedEntry[], context: CommandContext): CommandOutput {
  const { subject, title } = noun;
  const json = entries.map(({ entry, label, note, createdAt }) => ({
    [subject]: entry,
    ...(noun.label === null ? {} : { label }),
    note,
    created_at: createdAt,
  }));
  if (entries.length === 0) {
    const how = `To put one there, type: ${context.programName} ${noun.noun} add ${subject.toUpperCase()}`;
    return { json, text: `Nothing is on ${title}. ${how}` };
  }
  const headings = [subject.toUpperCase(), ...(noun.label === null ? [] : ['LABEL']), 'NOTE', 'SINCE'];
  const rows = entries.map(({ entry, label, note, createdAt }) => [
    entry,
    ...(noun.label === null ? [] : [label]),
    note,
    createdAt,
  ]);
  return { json, text: table(headings, rows) };
}
