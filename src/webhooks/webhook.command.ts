import { Option, type Command } from 'commander';
import { accountId, unknownAccount } from '../auth/account.command.js';
import { KEY_MODES, type KeyMode } from '../auth/api-key.js';
import type { CommandContext, CommandOutput } from '../platform/cli/command-context.js';
import { CommandError } from '../platform/cli/command-error.js';
import { table } from '../platform/cli/table.js';
import { typedValue, wholeNumber } from '../platform/cli/typed-value.js';
import { AppError } from '../platform/errors/app-error.js';
import { isId } from '../platform/ids/uuid.js';
import type { Delivery } from './deliveries/deliveries.repository.js';
import type { Endpoint } from './endpoints/endpoints.service.js';
import { EVENT_TYPES, type EventType } from './event-type.js';
import type { WebhookCommandServices } from './webhook-command-services.js';

const SHOWN_ONCE = 'This is the only time the secret is shown: keep it now.';
const MAX_LOW = 1_000_000_000_000;
const MAX_SHOWN = 1000;

const idOf = (what: string, shownBy: string) =>
  typedValue(`must be the id of a ${what}, as \`${shownBy}\` shows it`, (text) =>
    isId(text.toLowerCase()) ? text.toLowerCase() : null,
  );
const endpointId = idOf('webhook', 'webhook list');
const deliveryId = idOf('delivery', 'webhook deliveries');
const eventList = typedValue(`must be a comma list of ${EVENT_TYPES.join(', ')}`, (text) => {
  const events = text.split(',').map((type) => EVENT_TYPES.find((known) => known === type.trim()));
  return events.every((type) => type !== undefined) ? events : null;
});

interface CreateOptions {
  readonly url: string;
  readonly events: readonly EventType[];
  readonly mode: KeyMode;
  readonly low?: number;
}

/** `webhook create|list|rotate|disable|deliveries|resend|test`. */
export function registerWebhookCommands(program: Command, context: CommandContext): void {
  const webhook = program.command('webhook').description('where accounts have events sent');
  const services = async (): Promise<WebhookCommandServices> =>
    (await import('./webhook-command-services.js')).webhookCommandServices(context);

  webhook
    .command('create')
    .description('have events sent to a URL, and show the secret that signs them once')
    .argument('<account>', 'id of the account', accountId)
    .requiredOption('--url <url>', 'where to send them; begins with https://')
    .requiredOption('--events <events>', `comma list of ${EVENT_TYPES.join(', ')}`, eventList)
    .addOption(new Option('--mode <mode>', 'events of live keys or of test keys').choices(KEY_MODES).default('live'))
    .option('--low <credits>', 'send credits.low when the balance falls under it', wholeNumber(1, MAX_LOW))
    .action(
      context.action(async (account: string, { low, ...wanted }: CreateOptions) => {
        const { endpoints, accounts } = await services();
        if ((await accounts.findById(account)) === null) throw unknownAccount(context);
        const creating = endpoints.create(account, { ...wanted, low: low ?? null }, context.operator, (made) =>
          context.show(secretOutput(made)),
        );
        const { endpoint, secret } = await creating.catch((error: unknown) => {
          throw misuse(error);
        });
        return secretOutput({ id: endpoint.id, secret });
      }),
    );

  webhook
    .command('list')
    .description('list the webhooks of an account, oldest first')
    .argument('<account>', 'id of the account', accountId)
    .action(
      context.action(async (account: string) => {
        const { endpoints, accounts } = await services();
        if ((await accounts.findById(account)) === null) throw unknownAccount(context);
        return listed(await endpoints.list(account));
      }),
    );

  webhook
    .command('rotate')
    .description('replace the secret and show the new one once; for 24 hours both sign')
    .argument('<webhook>', 'id of the webhook', endpointId)
    .action(
      context.action(async (id: string) => {
        const { endpoints, keyOf } = await services();
        const secret = await endpoints.rotate(await keyOf(id), context.operator, (made) =>
          context.show(secretOutput(made)),
        );
        return secretOutput({ id, secret });
      }),
    );

  webhook
    .command('disable')
    .description('send nothing more to a webhook; what waits for it is dropped')
    .argument('<webhook>', 'id of the webhook', endpointId)
    .action(
      context.action(async (id: string) => {
        const { endpoints, keyOf } = await services();
        const { disabledAt } = await endpoints.disable(await keyOf(id), context.operator);
        return { json: { id, disabled_at: disabledAt }, text: 'Nothing more is sent to it.' };
      }),
    );

  webhook
    .command('deliveries')
    .description('list what was sent to a webhook, newest first')
    .argument('<webhook>', 'id of the webhook', endpointId)
    .addOption(new Option('--limit <count>', 'how many to list').default(20).argParser(wholeNumber(1, MAX_SHOWN)))
    .action(
      context.action(async (id: string, { limit }: { limit: number }) => {
        const { deliveries, keyOf } = await services();
        return deliveriesOutput((await deliveries.page(await keyOf(id), null, limit)).deliveries);
      }),
    );

  webhook
    .command('resend')
    .description('send a delivery again, with the same id, as if it were new')
    .argument('<delivery>', 'id of the delivery', deliveryId)
    .action(
      context.action(async (id: string) => {
        const { deliveries, accountOfDelivery } = await services();
        const account = await accountOfDelivery(id);
        if (account === null) {
          const list = `${context.programName} webhook deliveries WEBHOOK`;
          throw new CommandError(`no delivery has this id. To see them, type: ${list}`);
        }
        await deliveries.resend({ accountId: account, id }, context.operator);
        return { json: { id }, text: 'A worker sends it within seconds.' };
      }),
    );

  webhook
    .command('test')
    .description('send an event webhook.test')
    .argument('<webhook>', 'id of the webhook', endpointId)
    .action(
      context.action(async (id: string) => {
        const { deliveries, keyOf } = await services();
        const delivery = await deliveries.sendTest(await keyOf(id), context.operator);
        return { json: { id: delivery }, text: `A worker sends it within seconds. Its id is ${delivery}.` };
      }),
    );
}

/** Options have the names of the API's fields. */
function misuse(error: unknown): unknown {
  const isRule = error instanceof AppError && error.code === 'validation_failed';
  return isRule ? new CommandError(`--${error.message}`) : error;
}

function secretOutput(made: { readonly id: string; readonly secret: string }): CommandOutput {
  const { id, secret } = made;
  return { json: { id, secret }, text: `${secret}\n\n${SHOWN_ONCE}\nThe id of the webhook is ${id}.` };
}

function listed(endpoints: readonly Endpoint[]): CommandOutput {
  const json = endpoints.map(({ id, mode, url, events, low, failingSince, disabledAt, disabledBy, createdAt }) => ({
    id,
    mode,
    url,
    events,
    low,
    failing_since: failingSince,
    disabled_at: disabledAt,
    disabled_by: disabledBy,
    created_at: createdAt,
  }));
  const rows = endpoints.map(({ id, mode, url, events, disabledBy, failingSince }) => [
    id,
    mode,
    url,
    events.join(','),
    disabledBy === null ? 'on' : `off (${disabledBy})`,
    failingSince,
  ]);
  const headings = ['WEBHOOK', 'MODE', 'URL', 'EVENTS', 'STATE', 'FAILING SINCE'];
  return { json, text: rows.length === 0 ? 'No webhook yet.' : table(headings, rows) };
}

function deliveriesOutput(deliveries: readonly Delivery[]): CommandOutput {
  const json = deliveries.map(
    ({ id, type, state, attempts, status, fault, createdAt, attemptedAt, dueAt, endedAt }) => ({
      id,
      type,
      state,
      attempts,
      status,
      fault,
      created_at: createdAt,
      attempted_at: attemptedAt,
      due_at: dueAt,
      ended_at: endedAt,
    }),
  );
  const rows = deliveries.map(({ id, type, state, attempts, status, fault, createdAt, dueAt }) => [
    id,
    type,
    state,
    attempts,
    status ?? fault,
    createdAt,
    dueAt,
  ]);
  const headings = ['DELIVERY', 'EVENT', 'STATE', 'ATTEMPTS', 'LAST ANSWER', 'CREATED', 'DUE'];
  return { json, text: rows.length === 0 ? 'Nothing was sent yet.' : table(headings, rows) };
}
