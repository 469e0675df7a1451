import { InvalidArgumentError } from 'commander';

/**
 * Parses an option or argument with a pure rule, for `Option.argParser` and `Command.argument`.
 * @param rule in words, such as `must be 0 or more`; shown with the option's name if `parse` returns null
 */
export function typedValue<T>(rule: string, parse: (text: string) => T | null): (text: string) => T {
  return (text) => {
    const value = parse(text);
    if (value === null) throw new InvalidArgumentError(`${rule}.`);
    return value;
  };
}

/** A whole number in decimal digits: not `1e3`, `0x10` or ` 5`. */
export function wholeNumber(from: number, to: number): (text: string) => number {
  return typedValue(`must be a whole number from ${from} to ${to}`, (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= from && value <= to ? value : null;
  });
}
