import { Alert, Anchor, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client';
import type { ListMode, Options } from '../api/types';
import { counted, formatNumber } from '../components/format';
import { Icon } from '../components/icons';
import { CREDITS_PER_ADDRESS, type Balance, type ListPrice } from './list-price';

const MODES: readonly { readonly mode: ListMode; readonly name: string; readonly text: string }[] = [
  { mode: 'standard', name: 'Standard', text: 'Asks the mail host of each address whether the mailbox exists.' },
  {
    mode: 'enhanced',
    name: 'Enhanced',
    text: 'Also finds domains that accept everybody, and says what each host answered.',
  },
];

/** How deep to look, and what it costs beside what the account has. */
export function PricePanel({
  mode,
  onMode,
  price,
  balance,
  addresses,
  isCounting,
}: {
  mode: ListMode;
  onMode: (mode: ListMode) => void;
  price: ListPrice | null;
  balance: Balance | null;
  addresses: number | null;
  /** The column is known, and its entries are being counted. */
  isCounting: boolean;
}) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
      <Radio.Group label="Mode" value={mode} onChange={onMode}>
        <Stack gap="xs" mt="xs">
          {MODES.map((one) => (
            <Radio
              key={one.mode}
              value={one.mode}
              label={`${one.name}: ${counted(CREDITS_PER_ADDRESS[one.mode], 'credit')} an address`}
              description={one.text}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Stack gap={4} aria-live="polite" role="group" aria-label="Price">
        <Text size="sm" fw={600}>
          Price
        </Text>
        {price && balance ? (
          <>
            <Text fz="1.625rem" fw={650} lh={1.3} className="mv-number">
              {priceText(price, mode)}
            </Text>
            <Text size="sm" c="dimmed">
              {addresses !== null && `For ${counted(addresses, 'address', 'addresses')}. `}
              Your balance: {counted(balance.credits.total, 'credit')}
              {freeText(balance)}.
            </Text>
            {price.missing > 0 && <Missing missing={price.missing} />}
          </>
        ) : (
          <Text size="sm" c="dimmed">
            {isCounting ? 'Counting the addresses…' : 'Known once the column is chosen.'}
          </Text>
        )}
      </Stack>
    </SimpleGrid>
  );
}

function priceText({ credits, freeVerifies }: ListPrice, mode: ListMode): string {
  if (credits === 0 && freeVerifies > 0) return counted(freeVerifies, 'free verify', 'free verifies');
  // An enhanced check costs less at a domain that is known to accept everybody.
  const most = `${mode === 'enhanced' ? 'At most ' : ''}${counted(credits, 'credit')}`;
  return freeVerifies > 0 ? `${most} and ${formatNumber(freeVerifies)} free` : most;
}

function freeText({ free_verifies: { limit, remaining } }: Balance): string {
  if (limit === null) return ', and unlimited free verifies';
  return remaining ? `, and ${counted(remaining, 'free verify', 'free verifies')} left this month` : '';
}

function Missing({ missing }: { missing: number }) {
  const options = useQuery({ queryKey: ['options'], queryFn: () => api.get<Options>('/options') });
  const topUp = options.data?.topup_url;
  return (
    <Alert color="orange" icon={<Icon name="warning" />} title={`${counted(missing, 'credit')} missing`} role="alert">
      {topUp ? <Anchor href={topUp}>Top up</Anchor> : 'Top up'} the account, or choose a smaller list.
    </Alert>
  );
}
