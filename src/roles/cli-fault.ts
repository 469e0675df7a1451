import { CommanderError, type Command } from 'commander';
import { CommandError } from '../platform/cli/command-error.js';
import { scrub } from '../platform/logging/scrub.js';

/**
 * The stderr line of a failed command: the problem and what to type instead. Scripts log it, so it never shows a key
 * that was typed in place of an id.
 * @param argv the arguments, without `node` and the script
 */
export function describeFault(error: unknown, program: Command, argv: readonly string[]): string {
  return scrub(`error: ${oneLine(sentence(error, program, argv))}`);
}

function oneLine(text: string): string {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return lines.join(' ');
}

function sentence(error: unknown, program: Command, argv: readonly string[]): string {
  if (error instanceof CommanderError) {
    const command = commandOf(program, argv);
    return misuse(unknownOptionFirst(error, command, argv), command, argv);
  }
  if (error instanceof CommandError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if (isConfigFault(error)) return error.lines.join('; ');
  return databaseFault(error, program.name()) ?? error.message;
}

/**
 * Commander checks required options before unknown ones: for `--mdoe live` it would report a missing `--mode`. This
 * returns its message about the unknown option, which suggests the nearest name.
 */
function unknownOptionFirst(error: CommanderError, command: Command, argv: readonly string[]): CommanderError {
  if (error.code !== 'commander.missingMandatoryOptionValue') return error;
  const [option] = command.parseOptions(argv.slice(depthOf(command))).unknown;
  if (option === undefined) return error;
  try {
    // Missing in the library's types; throws because of `exitOverride`.
    (command as unknown as { unknownOption(flag: string): never }).unknownOption(option);
  } catch (unknown) {
    if (unknown instanceof CommanderError) return unknown;
  }
  return error;
}

function depthOf(command: Command): number {
  return command.parent === null ? 0 : 1 + depthOf(command.parent);
}

/** Commander's error about the arguments. */
function misuse(error: CommanderError, command: Command, argv: readonly string[]): string {
  const help = `Type: ${pathOf(command)} --help`;
  if (error.code === 'commander.unknownOption' && argv.some((word) => /^-[^-].*@/.test(word))) {
    return `an address that begins with a hyphen is taken for an option. Type: ${pathOf(command)} -- ADDRESS`;
  }
  if (error.code === 'commander.help') {
    const verbs = command.commands.map((verb) => verb.name()).join(', ');
    return `${command.name()} needs one of: ${verbs}. ${help}`;
  }
  return `${withoutValue(error.message.replace(/^error: /, '')).replace(/\.?$/, '.')} ${help}`;
}

/** Removes the invalid value that Commander repeats. */
function withoutValue(message: string): string {
  const [, option, optionRule] = /^option '([^']+)' argument '.*' is invalid\. (.*)$/s.exec(message) ?? [];
  if (option !== undefined) return `${option}: ${optionRule}`;
  const [, argument, rule] =
    /^command-argument value '.*' is invalid for argument '([^']+)'\. (.*)$/s.exec(message) ?? [];
  return argument === undefined ? message : `<${argument}>: ${rule}`;
}

/** The intended command, as far as the arguments name one. */
function commandOf(program: Command, argv: readonly string[]): Command {
  let command = program;
  for (const word of argv) {
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (next === undefined) return command;
    command = next;
  }
  return command;
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** Compares the name, so that the class is loaded only when it was thrown. */
function isConfigFault(error: Error): error is Error & { readonly lines: readonly string[] } {
  return error.name === 'ConfigFault' && 'lines' in error;
}

const NOT_MIGRATED = new Set(['ER_NO_SUCH_TABLE', 'ER_BAD_FIELD_ERROR']);
const TAKES_NO_WRITES = new Set([
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION',
  'ER_READ_ONLY_MODE',
]);
const NO_RIGHT = new Set([
  'ER_TABLEACCESS_DENIED_ERROR',
  'ER_COLUMNACCESS_DENIED_ERROR',
  'ER_SPECIFIC_ACCESS_DENIED_ERROR',
]);
const REFUSED = new Set(['ER_ACCESS_DENIED_ERROR', 'ER_DBACCESS_DENIED_ERROR', 'ER_BAD_DB_ERROR']);

/** Database errors that the operator can fix; null for others. Codes are mysql2's. */
function databaseFault(error: Error, programName: string): string | null {
  const { code, fatal } = driverErrorOf(error);
  if (code !== undefined && NOT_MIGRATED.has(code)) {
    return `the database is not migrated to this release. Type: ${programName} migrate`;
  }
  if (code !== undefined && REFUSED.has(code)) {
    return `the database server does not let us in (${code}): check user, password and database in DATABASE_URL`;
  }
  if (code !== undefined && TAKES_NO_WRITES.has(code)) {
    return `the database takes no writes (${code}): name the primary in DATABASE_URL, or end its read-only mode`;
  }
  if (code !== undefined && NO_RIGHT.has(code)) {
    return `the user of the database may not do this (${code}): grant all rights on the database to the user in DATABASE_URL`;
  }
  if (code === 'SESSION_REFUSED' || code === 'NO_DATABASE_HOST') return error.message;
  if (error.name === 'CommitUnknown') {
    return 'the connection to the database was lost at COMMIT: the change is made, or not; look before you type the command again';
  }
  if (fatal === true) {
    return `the database does not answer (${code ?? 'connection lost'}): check DATABASE_URL and that the server runs`;
  }
  return null;
}

/** TypeORM wraps the driver's errors. */
function driverErrorOf(error: Error): { code?: string; fatal?: boolean } {
  return ('driverError' in error ? error.driverError : error) as { code?: string; fatal?: boolean };
}
