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

/** A whole number in decimal digits: neither `1e3`, nor `0x10`, nor ` 5`. */
export function wholeNumber(from: number, to: number): (text: string) => number {
  return typedValue(`must be a whole number from ${from} to ${to}`, (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= from && value <= to ? value : null;
  });
}
