import type { TraceEvent } from '../engine/trace.js';
import { REASON_MEANINGS } from '../engine/verdict/reason-meanings.js';
import type { VerifyResult } from './verify.response.js';

/**
 * Explains a check to a person: DNS answers, the SMTP dialogue (`>` sent, `<` received), why each step followed, and
 * the result. Lines of one mail host stand under its name.
 */
export function explanation(
  events: readonly TraceEvent[],
  { result, reason }: Pick<VerifyResult, 'result' | 'reason'>,
): string {
  const lines: string[] = [];
  let host: string | null = null;
  for (const event of events) {
    if (event.kind !== 'smtp') host = null;
    switch (event.kind) {
      case 'dns':
        lines.push(`DNS   ${event.name} ${event.type}: ${event.answer} (${origin(event)})`);
        break;
      case 'note':
        lines.push(`      ${event.text}`);
        break;
      case 'smtp':
        if (event.host !== host) lines.push(`SMTP  ${event.host}`);
        host = event.host;
        lines.push(`  ${event.direction === 'sent' ? '>' : '<'} ${event.line}`);
        break;
    }
  }
  lines.push(`WHY   ${result}: ${reason === null ? 'the mail host was not asked' : REASON_MEANINGS[reason]}`);
  return lines.join('\n');
}

function origin({ server, transport, tookMs }: TraceEvent & { kind: 'dns' }): string {
  if (transport === 'cache') return 'from the cache';
  return server === null ? `${tookMs} ms` : `${server} over ${transport}, ${tookMs} ms`;
}
