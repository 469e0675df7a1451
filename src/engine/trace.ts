/**
 * One event per question or answer of the engine, for `--explain`. The check gets a function and calls it as things
 * happen; the service passes none, at no cost.
 */
export type TraceEvent =
  | {
      readonly kind: 'dns';
      readonly name: string;
      readonly type: string;
      /** The answer for a person: records in presentation form, or the name of the failure. */
      readonly answer: string;
      readonly server: string | null;
      readonly transport: 'udp' | 'tcp' | 'cache';
      readonly tookMs: number;
    }
  | { readonly kind: 'smtp'; readonly host: string; readonly direction: 'sent' | 'received'; readonly line: string }
  /** A decision of the engine, in an operator's words. */
  | { readonly kind: 'note'; readonly text: string };

export type Trace = (event: TraceEvent) => void;
