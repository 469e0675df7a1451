import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds } from '../lab/world.js';
import { startProduct, type Product } from '../support/product.js';

/** `valid` is its one mailbox. */
export const DOMAIN = 'company.example';
/** Its host accepts every recipient. */
export const ACCEPTING_DOMAIN = 'accepting.example';

const world = joinWorlds(
  domainWithHost(DOMAIN, { recipients: { valid: ACCEPTED } }),
  domainWithHost(ACCEPTING_DOMAIN, { otherRecipients: ACCEPTED }),
);

/** The one API and the one worker that all clients are tried with. */
export let product: Product;
export let url: string;

let lab: Laboratory;
beforeAll(async () => {
  lab = await startLaboratory(world);
  product = await startProduct({
    ...laboratoryEnvironment(lab),
    SMTP_CHECK_DOMAINS: 'none',
  });
  [{ url }] = await Promise.all([product.startApi(), product.startWorker()]);
});
afterAll(async () => {
  await product?.close();
  await lab?.stop();
});
