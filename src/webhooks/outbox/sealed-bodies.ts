import { Injectable } from '@nestjs/common';
import { TextSealer } from '../../platform/sealing/text-sealer.js';

/** Seals what is sent and what is answered, which may contain addresses: each text opens for its delivery alone. */
@Injectable()
export class SealedBodies {
  constructor(private readonly sealer: TextSealer) {}

  seal(text: string, deliveryId: string): Buffer {
    return this.sealer.seal(text, contextOf(deliveryId));
  }

  /** @throws Error without the text in it */
  open(sealed: Buffer, deliveryId: string): string {
    return this.sealer.open(sealed, contextOf(deliveryId));
  }
}

function contextOf(deliveryId: string): Buffer {
  return Buffer.from(`webhook delivery:${deliveryId}`);
}
