/** The result of one check of the doctor, and how to fix it. */
export interface Finding {
  readonly check: string;
  /** `unknown`: the check could not run; `found` says why. */
  readonly state: 'ok' | 'warning' | 'fault' | 'unknown';
  /** One line, for people. Holds no password. */
  readonly found: string;
  /** How to fix it; null if nothing is wrong. */
  readonly advice: string | null;
}

export function ok(check: string, found: string): Finding {
  return { check, state: 'ok', found, advice: null };
}
export function warning(check: string, found: string, advice: string): Finding {
  return { check, state: 'warning', found, advice };
}
export function fault(check: string, found: string, advice: string): Finding {
  return { check, state: 'fault', found, advice };
}
export function unknown(check: string, found: string, advice: string | null = null): Finding {
  return { check, state: 'unknown', found, advice };
}
