import type { FastifyRequest } from 'fastify';
import { IgnoredFields } from './body/ignored-fields.js';
import { isCsv } from './media-type.js';

/** Names parameters of the query that the call does not take, for the answer's header: `query.limt`. */
export function nameIgnoredQuery({ context, query, raw, routeOptions: { config } }: FastifyRequest): void {
  let ignored: IgnoredFields | null = null;
  let taken: readonly string[] | undefined;
  for (const name in query as Record<string, unknown>) {
    taken ??= (isCsv(raw) ? config.csvQueryFields : config.queryFields) ?? [];
    if (!taken.includes(name)) (ignored ??= new IgnoredFields()).add(`query.${name}`);
  }
  if (ignored !== null) context.ignoredFields = ignored.names;
}
