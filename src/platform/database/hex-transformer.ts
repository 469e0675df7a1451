import type { ValueTransformer } from 'typeorm';

/** Stores text of hex digits as BINARY. */
export const hexTransformer: ValueTransformer = {
  to: (hex: string) => Buffer.from(hex, 'hex'),
  from: (bytes: Buffer) => bytes.toString('hex'),
};
