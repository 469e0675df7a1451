import type { ValueTransformer } from 'typeorm';
import { idFromBytes, idToBytes } from '../ids/uuid.js';

/** Stores an id as BINARY(16). Leaves null as it is. */
export const idTransformer: ValueTransformer = {
  to: (id: unknown) => (typeof id === 'string' ? idToBytes(id) : id),
  from: (bytes: unknown) => (Buffer.isBuffer(bytes) ? idFromBytes(bytes) : bytes),
};
