/** Lowercase A-label names: a set, or a map keyed by them. */
export interface Names {
  has(name: string): boolean;
}

export const NO_NAMES: Names = new Set();

/** The name itself or its nearest parent in `names`, or null. Looks up `a.b.example` label by label. */
export function listedName(names: Names, domain: string): string | null {
  for (let name = domain; ;) {
    if (names.has(name)) return name;
    const dot = name.indexOf('.');
    if (dot < 0) return null;
    name = name.slice(dot + 1);
  }
}
