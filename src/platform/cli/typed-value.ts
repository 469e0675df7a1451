import { InvalidArgumentError } from 'commander';

/**
 * Reads the value of an option or argument by a pure rule, for `Option.argParser` and `Command.argument`.
 * @param rule in words, such as `must be 0 or more`; shown with the name of the option when `parse` returns null
 */
export function typedValue<T>(rule: string, parse: (text: string) => T | null): (text: string) => T {
  return (text) => {
    const value = parse(text);
    if (value === null) throw new InvalidArgumentError(`${rule}.`);
    return value;
  };
}
