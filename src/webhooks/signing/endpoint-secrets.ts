import { Injectable } from '@nestjs/common';
import { TextSealer } from '../../platform/sealing/text-sealer.js';

/** Seals the secrets of endpoints: each opens for its endpoint alone. */
@Injectable()
export class EndpointSecrets {
  constructor(private readonly sealer: TextSealer) {}

  seal(secret: string, endpointId: string): Buffer {
    return this.sealer.seal(secret, contextOf(endpointId));
  }

  /** @throws Error without the secret in it */
  open(sealed: Buffer, endpointId: string): string {
    return this.sealer.open(sealed, contextOf(endpointId));
  }

  /** Whether it is sealed with the present key. */
  isCurrent(sealed: Buffer): boolean {
    return this.sealer.isCurrent(sealed);
  }
}

function contextOf(endpointId: string): Buffer {
  return Buffer.from(`webhook secret:${endpointId}`);
}
