import { FileRefusal } from './file-refusal';

export type FileKind = 'text' | 'xlsx';

/** The first bytes of files that people rename or choose by mistake, and what to tell them. */
const SIGNATURES: readonly { readonly starts: readonly number[]; readonly sentence: string }[] = [
  { starts: [0x89, 0x50, 0x4e, 0x47], sentence: 'This is a PNG picture, not a list of addresses.' },
  { starts: [0xff, 0xd8, 0xff], sentence: 'This is a JPEG picture, not a list of addresses.' },
  { starts: [0x47, 0x49, 0x46, 0x38], sentence: 'This is a GIF picture, not a list of addresses.' },
  { starts: [0x25, 0x50, 0x44, 0x46], sentence: 'This is a PDF document. Export the list as CSV or XLSX instead.' },
  { starts: [0x7b, 0x5c, 0x72, 0x74, 0x66], sentence: 'This is an RTF document. Save it as plain text instead.' },
  { starts: [0x1f, 0x8b], sentence: 'This file is compressed (gzip). Unpack it first.' },
  { starts: [0x28, 0xb5, 0x2f, 0xfd], sentence: 'This file is compressed (zstd). Unpack it first.' },
  { starts: [0x37, 0x7a, 0xbc, 0xaf], sentence: 'This is a 7-Zip archive. Unpack it first.' },
  { starts: [0x52, 0x61, 0x72, 0x21], sentence: 'This is a RAR archive. Unpack it first.' },
  { starts: [0x50, 0x41, 0x52, 0x31], sentence: 'This is a Parquet file. Export the list as CSV instead.' },
  {
    starts: [0xff, 0xfe, 0x00, 0x00],
    sentence: 'This text is in UTF-32, which no spreadsheet writes. Save it as UTF-8 instead.',
  },
  {
    starts: [0x00, 0x00, 0xfe, 0xff],
    sentence: 'This text is in UTF-32, which no spreadsheet writes. Save it as UTF-8 instead.',
  },
];

const OLE = [0xd0, 0xcf, 0x11, 0xe0];
const ZIP = [0x50, 0x4b];
/** "EncryptedPackage" as the compound file of a protected workbook names it, in UTF-16. */
const ENCRYPTED = [...'EncryptedPackage'].flatMap((letter) => [letter.charCodeAt(0), 0]);

/** Tells by its bytes, not by its name, what a file is. Throws a `FileRefusal` if it is nothing that holds a list. */
export function fileKind(bytes: Uint8Array): FileKind {
  if (bytes.length === 0) throw new FileRefusal('This file is empty.');
  if (startsWith(bytes, ZIP)) return 'xlsx';
  if (startsWith(bytes, OLE)) throw new FileRefusal(oleSentence(bytes));
  const known = SIGNATURES.find(({ starts }) => startsWith(bytes, starts));
  if (known !== undefined) throw new FileRefusal(known.sentence);
  const notRows = sentenceOnText(bytes);
  if (notRows !== null) throw new FileRefusal(notRows);
  return 'text';
}

function startsWith(bytes: Uint8Array, starts: readonly number[]): boolean {
  return starts.every((byte, index) => bytes[index] === byte);
}

function oleSentence(bytes: Uint8Array): string {
  return includes(bytes, ENCRYPTED)
    ? 'This workbook is protected by a password. Save it without one, then choose it again.'
    : 'This is an Excel file of the old kind (.xls). Open it and save it as XLSX or CSV.';
}

function includes(bytes: Uint8Array, wanted: readonly number[]): boolean {
  const [first] = wanted;
  if (first === undefined) return true;
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return true;
  }
  return false;
}

/** Text that has no rows. Many programs write HTML or XML and call it .xls: spreadsheets open it. */
function sentenceOnText(bytes: Uint8Array): string | null {
  const start = new TextDecoder('utf-8').decode(bytes.subarray(0, 512)).replaceAll('\0', '').trimStart().toLowerCase();
  if (/^(<!doctype html|<html|<table|<head|<body|<meta)/.test(start)) {
    return 'This is a web page (HTML), whatever its name says. Open it in a spreadsheet and save it as XLSX or CSV.';
  }
  if (/^[[{]\s*["[{]/.test(start)) {
    return 'This is a JSON file. Save the list as CSV, or as text with one address a line.';
  }
  if (start.startsWith('begin:vcard')) {
    return 'These are contacts (vCard). Export them as CSV from your address book instead.';
  }
  if (start.startsWith('<?xml')) {
    return 'This is an XML file. Open it in a spreadsheet and save it as XLSX or CSV.';
  }
  return null;
}
