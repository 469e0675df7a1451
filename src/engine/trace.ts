/**
 * What `--explain` prints: one event per thing the engine asked or was told. Given to a check as a function and called
 * as things happen; absent in the service, where it costs nothing.
 */
export type TraceEvent =
  | {
      readonly kind: 'dns';
      readonly name: string;
      readonly type: string;
      /** What came back, for a person: records in presentation form, or the name of the failure. */
      readonly answer: string;
      readonly server: string | null;
      readonly transport: 'udp' | 'tcp' | 'cache';
      readonly tookMs: number;
    }
  | { readonly kind: 'smtp'; readonly host: string; readonly direction: 'sent' | 'received'; readonly line: string }
  /** A decision the engine took, in words an operator understands. */
  | { readonly kind: 'note'; readonly text: string };

export type Trace = (event: TraceEvent) => void;
