import { Injectable, Logger } from '@nestjs/common';
import { MaintenanceEvery } from '../../platform/queues/maintenance-every.js';
import { TextSealer } from '../../platform/sealing/text-sealer.js';
import { secretContext } from '../sealing-contexts.js';
import { SealedSecretsRepository, type SealedSecret } from './sealed-secrets.repository.js';

const PAGE = 500;

/** Seals secrets with the present key, so that an older one can be dropped, also where nothing was sent meanwhile. */
@Injectable()
export class ResealSecretsTask {
  private readonly logger = new Logger('Webhooks');

  constructor(
    private readonly secrets: SealedSecretsRepository,
    private readonly sealer: TextSealer,
  ) {}

  @MaintenanceEvery(3_600_000, 'reseal-webhook-secrets')
  async run(signal: AbortSignal): Promise<void> {
    let last: string | null = null;
    do {
      const page: SealedSecret[] = await this.secrets.page(last, PAGE);
      for (const one of page) if (!this.sealer.isCurrent(one.secret)) await this.reseal(one);
      last = page.length < PAGE ? null : page.at(-1)!.id;
    } while (last !== null && !signal.aborted);
  }

  private async reseal(one: SealedSecret): Promise<void> {
    const context = secretContext(one.id);
    let secret: string;
    try {
      secret = this.sealer.open(one.secret, context);
    } catch (err) {
      this.logger.error({ err, webhook: one.id }, 'the secret of a webhook cannot be read');
      return;
    }
    await this.secrets.replace(one, this.sealer.seal(secret, context));
  }
}
