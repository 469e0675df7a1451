const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** A text in one of the old charsets, by turning Node's decoder around. @throws Error where the charset lacks a character */
export function encodeText(text: string, charset: string): Buffer {
  const table = tables.get(charset) ?? tableOf(charset);
  tables.set(charset, table);
  const bytes = Array.from(text).flatMap((character) => {
    const code = character.codePointAt(0)!;
    const encoded = code < 0x80 ? [code] : table.get(character);
    if (encoded === undefined) throw new Error(`${charset} has no ${character}`);
    return [...encoded];
  });
  const octets = Buffer.from(bytes).toString('latin1');
  // Signs side by side stand between one pair of escapes.
  return Buffer.from(octets.replaceAll('\u001b(B\u001b$B', ''), 'latin1');
}

function tableOf(charset: string): ReadonlyMap<string, readonly number[]> {
  const decoder = new TextDecoder(charset);
  const table = new Map<string, readonly number[]>();
  const add = (bytes: readonly number[], escaped: readonly number[] = bytes): void => {
    const decoded = decoder.decode(Uint8Array.from(escaped));
    if (Array.from(decoded).length === 1 && decoded !== '\ufffd' && !table.has(decoded)) table.set(decoded, escaped);
  };
  if (charset === 'iso-2022-jp') {
    for (let lead = 0x21; lead <= 0x7e; lead += 1) {
      for (let trail = 0x21; trail <= 0x7e; trail += 1) add([], [0x1b, 0x24, 0x42, lead, trail, 0x1b, 0x28, 0x42]);
    }
    return table;
  }
  for (let byte = 0x80; byte <= 0xff; byte += 1) add([byte]);
  for (let lead = 0x81; lead <= 0xfe; lead += 1) for (let trail = 0x40; trail <= 0xfe; trail += 1) add([lead, trail]);
  return table;
}
