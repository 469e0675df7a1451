import { applyDecorators } from '@nestjs/common';
import { ApiQuery, type ApiQueryOptions } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { JOB_MODES } from './job.js';
import { IsText } from '../platform/validation/field-rules.js';

const HEADER = ['true', 'false'] as const;
const MAX_COLUMN = 255;

/** How the CSV body of `POST /v1/verify/jobs` is to be read. */
export class CsvQuery {
  /** Name, or number from 1 on. */
  @IsOptional()
  @IsText(MAX_COLUMN)
  column?: string;

  /** Left out: a first row without an address is a header. */
  @IsOptional()
  @IsIn(HEADER)
  header?: (typeof HEADER)[number];
}

export const CSV_BODY = {
  type: 'string',
  description:
    'UTF-8, a row for each address, at most 10,000; cells between commas, semicolons or tabs. Only the column of addresses is kept.',
};

const QUERY: readonly (ApiQueryOptions & { readonly name: string })[] = [
  {
    name: 'column',
    description:
      'Of CSV: the column of addresses, by its name or its number from 1 on. Default: the first that holds one.',
    schema: { type: 'string', maxLength: MAX_COLUMN },
  },
  {
    name: 'header',
    description: 'Of CSV: whether the first row has the names of the columns. Default: it has, if it holds no address.',
    schema: { type: 'string', enum: [...HEADER] },
  },
  { name: 'mode', description: 'Of CSV: `mode` of the JSON body.', schema: { type: 'string', enum: [...JOB_MODES] } },
  {
    name: 'name',
    description: 'Of CSV: `name` of the JSON body.',
    schema: { type: 'string', minLength: 1, maxLength: 100 },
  },
];

export const CSV_QUERY_FIELDS: readonly string[] = QUERY.map(({ name }) => name);

export const ApiCsvQuery = (): MethodDecorator =>
  applyDecorators(...QUERY.map((options) => ApiQuery({ ...options, required: false })));
