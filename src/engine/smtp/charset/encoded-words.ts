import { decodeNamed } from './decode-text.js';

/** `=?charset?B?text?=` (RFC 2047 section 2), with the language of RFC 2231. */
const ENCODED_WORD = /=\?([\w.:+-]{1,40})(?:\*[\w-]{1,20})?\?([BbQq])\?([^?\s]{0,1000})\?=/g;

/** Adjacent encoded words in one charset. */
interface Run {
  readonly charset: string;
  readonly start: number;
  end: number;
  readonly bytes: Buffer[];
}

/** Decodes the encoded words of a text. Adjacent ones are decoded together, because a character may be split between them. */
export function decodeEncodedWords(text: string): string {
  if (!text.includes('=?')) return text;
  let decoded = '';
  let end = 0;
  for (const run of runsIn(text)) {
    const bytes = Buffer.concat(run.bytes);
    decoded += text.slice(end, run.start) + (decodeNamed(run.charset, bytes) ?? bytes.toString('latin1'));
    end = run.end;
  }
  return decoded + text.slice(end);
}

function runsIn(text: string): readonly Run[] {
  const runs: Run[] = [];
  for (const match of text.matchAll(ENCODED_WORD)) {
    const [word, name = '', encoding = '', encoded = ''] = match;
    const charset = name.toLowerCase();
    const bytes = encoding.toUpperCase() === 'B' ? Buffer.from(encoded, 'base64') : fromQ(encoded);
    const end = match.index + word.length;
    const last = runs.at(-1);
    if (last?.charset === charset && text.slice(last.end, match.index).trim() === '') {
      last.bytes.push(bytes);
      last.end = end;
    } else {
      runs.push({ charset, start: match.index, end, bytes: [bytes] });
    }
  }
  return runs;
}

/** RFC 2047 4.2. */
function fromQ(encoded: string): Buffer {
  const octets = encoded
    .replaceAll('_', ' ')
    .replaceAll(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(octets, 'latin1');
}
