declare module 'fastify' {
  interface FastifyContextConfig {
    /** True on routes that need no key: the gate is not asked. Set by `@PublicRoute()`. */
    publicRoute?: boolean;
    /** Largest body in octets, where it is not the ordinary one: `@RouteConfig({ bodyLimit })`. */
    bodyLimit?: number;
    /** Names of the fields of its JSON body that the route takes, which `declareBodyFields` sets; without them it takes none. */
    bodyFields?: readonly string[];
    /** Most values and names of fields in a large body, where it is not the ordinary number. */
    maxBodyValues?: number;
    /** True where a body may be sent without a media type: it is then read as JSON. */
    mediaTypeOptional?: boolean;
  }
}

/** Largest request body, octets, of a route that says nothing else (decisions 1.5). */
export const BODY_LIMIT = 256 * 1024;
