import { NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { AdminAccount } from '../../api/types';
import { FormDialog, textOf } from './form-dialog';
import { usePlans } from './plans';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onCreated: (account: AdminAccount) => void;
}

export function CreateAccountDialog({ opened, onClose, onCreated }: Props) {
  const client = useQueryClient();
  const plans = usePlans();
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Create an account"
      submit="Create"
      send={(form) => {
        const credits = Number(textOf(form, 'credits').replaceAll(/\D/g, ''));
        return api.post<AdminAccount>('/admin/accounts', {
          name: textOf(form, 'name'),
          plan: textOf(form, 'plan'),
          ...(credits > 0 ? { credits } : {}),
        });
      }}
      onDone={(account) => {
        void client.invalidateQueries({ queryKey: ['admin', 'accounts'] });
        onCreated(account);
      }}
    >
      <TextInput label="Name" name="name" required withAsterisk={false} maxLength={100} data-autofocus />
      <NativeSelect label="Plan" name="plan" data={plans} />
      <NumberInput label="Credits" name="credits" min={0} allowDecimal={false} thousandSeparator="," defaultValue={0} />
    </FormDialog>
  );
}
