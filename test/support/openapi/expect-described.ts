import { sharedChecker, type SeenAnswer } from './answer-checker.js';

/** An answer that a test got without `fetch`, its headers in lower case. */
export interface InjectedAnswer extends Omit<SeenAnswer, 'header' | 'path'> {
  /** With its query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Fails the test when an answer is not as docs/openapi.json says. */
export function expectDescribed({ headers, url, ...answer }: InjectedAnswer): void {
  const header = (name: string): string | null => {
    const value = headers[name.toLowerCase()];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
  };
  const path = url.split('?', 1)[0] ?? url;
  expect(sharedChecker().faults({ ...answer, header, path })).toEqual([]);
}
