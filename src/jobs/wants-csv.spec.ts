import { wantsCsv } from './wants-csv.js';

it.each([
  'text/csv',
  'TEXT/CSV',
  'text/csv; charset=utf-8',
  'text/csv, application/json',
  'text/csv, */*',
  'application/json;q=0.5, text/csv',
  'application/json;q=0, text/csv;q=0.1',
  '*/*, text/csv;q=0.1',
])('%s wants CSV', (accept) => {
  expect(wantsCsv(accept)).toBe(true);
});

it.each([
  undefined,
  '',
  '*/*',
  'text/*',
  'application/json',
  'text/html,application/xhtml+xml,*/*;q=0.8',
  'application/json, text/csv',
  'application/json, text/csv;q=0.9',
  'text/csv;q=0',
  'text/csv;q=0.0, */*',
  'text/csv-schema',
])('%s does not', (accept) => {
  expect(wantsCsv(accept)).toBe(false);
});
