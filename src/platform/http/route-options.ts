declare module 'fastify' {
  interface FastifyContextConfig {
    /** True on routes that need no key: the gate is not asked. Set by `@PublicRoute()`. */
    publicRoute?: boolean;
    /** Largest body in octets, where it is not the ordinary one: `@RouteConfig({ bodyLimit })`. */
    bodyLimit?: number;
    /** True where a body may be sent without a media type: it is then read as JSON. */
    mediaTypeOptional?: boolean;
  }
}

/** Largest request body, octets, of a route that says nothing else (decisions 1.5). */
export const BODY_LIMIT = 256 * 1024;
