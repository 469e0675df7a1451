import { AppError } from '../platform/errors/app-error.js';
import type { ArrivingBody, ReadBody } from '../platform/http/body/arriving-body.js';
import { CsvScanner } from '../platform/http/body/csv-scanner.js';
import { notUtf8 } from '../platform/http/body/body-errors.js';
import { withoutMark } from '../platform/http/body/large-body.js';
import { Utf8Check } from '../platform/http/body/utf8-check.js';
import { describeFaults } from '../platform/validation/describe-faults.js';
import { readQuery } from '../platform/validation/read-object.js';
import { CsvColumn } from './csv-column.js';
import { CsvQuery } from './submit-csv.request.js';

type Query = Readonly<Record<string, unknown>>;

/** Fields of the JSON body that CSV has no place for: they are in the query. */
const FIELDS_IN_QUERY = ['mode', 'name'];

/**
 * Reads the CSV body of `POST /v1/verify/jobs` while it arrives, and keeps its column of addresses only. A row whose cell
 * is empty or missing is an entry too, so that results stand in the order of the rows; blank lines are none.
 */
export class CsvBody implements ArrivingBody {
  private readonly utf8 = new Utf8Check();
  private readonly column: CsvColumn;
  private readonly scanner: CsvScanner;
  private readonly fault: AppError | null;
  private isFirst = true;

  constructor(private readonly query: Query) {
    const { faults, value } = readQuery(CsvQuery, query);
    this.fault = faults && new AppError('validation_failed', describeFaults(faults, query, 'the query'));
    this.column = new CsvColumn(value ?? {});
    this.scanner = new CsvScanner(this.column);
  }

  get values(): number {
    return this.column.values;
  }

  write(chunk: Buffer): void {
    if (chunk.length === 0) return;
    if (!this.utf8.write(chunk)) throw notUtf8();
    if (chunk.includes(0)) throw new AppError('invalid_request', 'The body is not CSV: it has null characters.');
    this.scanner.write(this.isFirst ? withoutMark(chunk) : chunk);
    this.isFirst = false;
  }

  end(): ReadBody {
    if (this.isFirst) throw new AppError('invalid_request', 'The CSV is empty: it needs at least 1 address.');
    if (!this.utf8.end()) throw notUtf8();
    this.scanner.end();
    if (this.fault !== null) throw this.fault;
    const given = FIELDS_IN_QUERY.filter((name) => this.query[name] !== undefined);
    const fields = Object.fromEntries(given.map((name) => [name, this.query[name]]));
    return { value: { emails: this.column.cells(), ...fields }, ignored: [] };
  }
}
