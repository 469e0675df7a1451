/**
 * The routes of a process by path, for the `Allow` header: Fastify's router only reports that a method and a path do
 * not match.
 */
export class RouteTable {
  private readonly routes: { readonly segments: readonly string[]; readonly methods: Set<string> }[] = [];
  private readonly byUrl = new Map<string, Set<string>>();

  /** @param url a route pattern, `:name` standing for one segment */
  add(url: string, methods: readonly string[]): void {
    let known = this.byUrl.get(url);
    if (known === undefined) {
      known = new Set();
      this.byUrl.set(url, known);
      this.routes.push({ segments: url.split('/'), methods: known });
    }
    for (const method of methods) known.add(method);
  }

  /** Methods of a requested path (ignoring its query), sorted; empty for an unknown path. */
  methodsOf(requested: string): string[] {
    const segments = pathSegments(requested);
    const matching = this.routes.filter((route) => matches(route.segments, segments));
    return [...new Set(matching.flatMap((route) => [...route.methods]))].sort();
  }
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, i) => (part.startsWith(':') ? segments[i] !== '' : part === segments[i]))
  );
}

function pathSegments(requested: string): string[] {
  try {
    return decodeURI(requested.split(/[?#]/, 1)[0] ?? '').split('/');
  } catch {
    return [];
  }
}
