import type { ArrivingBody } from './body/arriving-body.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route needs no key: the gate is not asked. Set by `@PublicRoute()`. */
    publicRoute?: boolean;
    /** Largest body in octets, if not the default: `@RouteConfig({ bodyLimit })`. */
    bodyLimit?: number;
    /** JSON body fields that the route takes, set by `declareInputFields`; none when absent. */
    bodyFields?: readonly string[];
    /** Parameters of the query that the route takes, set by `declareInputFields`; none when absent. */
    queryFields?: readonly string[];
    /** Most values and field names in a large body, if not the default. */
    maxBodyValues?: number;
    /** Reads a body of the type text/csv as what JSON would have brought; routes without it take no CSV. */
    csvBody?: (query: Readonly<Record<string, unknown>>) => ArrivingBody;
    /** Parameters of the query that go with such a body. */
    csvQueryFields?: readonly string[];
    /** Read a body without a media type as JSON. */
    mediaTypeOptional?: boolean;
  }
}

/** Default limit of a request body, octets (decisions 1.5). */
export const BODY_LIMIT = 256 * 1024;
