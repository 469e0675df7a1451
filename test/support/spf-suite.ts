/** One case of the RFC 7208 test suite, as far as it concerns the record of the sender's own domain. */
export interface SpfCase {
  readonly name: string;
  /** Results that are right. */
  readonly results: readonly string[];
  /** The TXT records of the domain whose policy is looked up, each with its strings joined; null where they cannot be had. */
  readonly texts: readonly string[] | null;
}

/**
 * Reads the suite's file. It is YAML of one simple shape, and only this shape is understood: documents with `tests:` and
 * `zonedata:`, one value a line. Records of type SPF stand for TXT records where a name has none.
 */
export function readSpfSuite(yaml: string): readonly SpfCase[] {
  return yaml.split(/^---$/m).flatMap((document) => readDocument(document));
}

interface RawTest {
  readonly name: string;
  readonly values: Map<string, readonly string[]>;
}

interface Zone {
  readonly spf: string[];
  readonly txt: string[];
  timeout: boolean;
}

function readDocument(document: string): readonly SpfCase[] {
  const tests: RawTest[] = [];
  const zones = new Map<string, Zone>();
  let inZones = false;
  let zone: Zone | undefined;
  for (const line of document.split('\n')) {
    if (/^\w+:/.test(line)) inZones = line.startsWith('zonedata:');
    const [, key] = /^ {2}(\S.*):$/.exec(line) ?? [];
    if (key !== undefined && inZones) {
      zone = { spf: [], txt: [], timeout: false };
      zones.set(scalars(key).join('').toLowerCase(), zone);
    } else if (key !== undefined) {
      tests.push({ name: key, values: new Map() });
    } else if (inZones) {
      readRecord(line, zone);
    } else {
      const [, name = '', value = ''] = /^ {4}(result|mailfrom|helo): *(.*)$/.exec(line) ?? [];
      tests.at(-1)?.values.set(name, scalars(value));
    }
  }
  return tests.map((test) => toCase(test, zones));
}

function readRecord(line: string, zone: Zone | undefined): void {
  if (zone === undefined) return;
  if (/^ {4}- TIMEOUT$/.test(line)) zone.timeout = true;
  const [, type, value = ''] = /^ {4}- (SPF|TXT): *(.*)$/.exec(line) ?? [];
  if (type !== undefined) (type === 'SPF' ? zone.spf : zone.txt).push(scalars(value).join(''));
}

function toCase({ name, values }: RawTest, zones: ReadonlyMap<string, Zone>): SpfCase {
  const one = (key: string): string => values.get(key)?.join('') ?? '';
  const sender = one('mailfrom') === '' ? one('helo') : one('mailfrom');
  const zone = zones.get(sender.slice(sender.lastIndexOf('@') + 1).toLowerCase());
  const txt = zone?.txt.filter((text) => text !== 'NONE') ?? [];
  const texts = zone?.txt.length === 0 ? zone.spf : txt;
  return {
    name,
    results: values.get('result') ?? [],
    texts: zone?.timeout === true && txt.length === 0 ? null : texts,
  };
}

/** A plain or quoted value, or a list of them in brackets. */
function scalars(text: string): readonly string[] {
  const trimmed = text.trim();
  if (!trimmed.startsWith('[')) return [scalar(trimmed)];
  const items = trimmed.slice(1, -1).match(/"(?:[^"\\]|\\.)*"|'[^']*'|[^,\s][^,]*/g) ?? [];
  return items.map((item) => scalar(item.trim()));
}

function scalar(text: string): string {
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  if (!text.startsWith('"')) return text;
  return text.slice(1, -1).replaceAll(/\\(x[0-9a-fA-F]{2}|.)/g, (_, escape: string) => {
    if (escape.startsWith('x')) return String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return escape === '0' ? '\0' : escape;
  });
}
