/** What one check of the doctor found, and what to do about it. */
export interface Finding {
  readonly check: string;
  /** `unknown`: it could not be looked at, which is said in `found`. */
  readonly state: 'ok' | 'warning' | 'fault' | 'unknown';
  /** In one line, for people. Holds no password. */
  readonly found: string;
  /** What to do; null where nothing is to be done. */
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
