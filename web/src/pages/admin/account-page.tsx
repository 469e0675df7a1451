import { Alert, Anchor, Button, NativeSelect, NumberInput, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { api } from '../../api/client';
import type { AdminAccountDetail, Member, NewMember } from '../../api/types';
import { useConfirm } from '../../components/confirm';
import { CopyField } from '../../components/copy';
import { DataTable, type Column } from '../../components/data-table';
import { formatNumber } from '../../components/format';
import { Icon } from '../../components/icons';
import { Page, Section } from '../../components/page';
import { Stat, Stats } from '../../components/stat';
import { EmptyState, ErrorState } from '../../components/states';
import { toastDone } from '../../components/toast';
import { When } from '../../components/when';
import { LinkDialog, type MadeLink } from '../security/link-dialog';
import { ROLES } from '../security/roles';
import { FormDialog, textOf } from './form-dialog';
import { usePlans } from './plans';

type Asked = 'plan' | 'credits' | 'member' | null;

export function AccountPage({ id }: { id: string }) {
  const client = useQueryClient();
  const plans = usePlans();
  const [asked, setAsked] = useState<Asked>(null);
  const [link, setLink] = useState<MadeLink | null>(null);
  const { ask, dialog } = useConfirm();
  const path = `/admin/accounts/${id}`;
  const account = useQuery({
    queryKey: ['admin', 'account', id],
    queryFn: ({ signal }) => api.get<AdminAccountDetail>(path, { signal }),
  });
  const done = (message: string) => {
    setAsked(null);
    toastDone(message);
    void client.invalidateQueries({ queryKey: ['admin'] });
  };
  const back = (
    <Anchor component={Link} to="/admin" size="sm">
      All accounts
    </Anchor>
  );
  if (!account.data) {
    return (
      <Page title="Account" actions={back}>
        {account.error ? (
          <Section>
            <ErrorState error={account.error} retry={() => void account.refetch()} />
          </Section>
        ) : (
          <Skeleton height={300} radius="md" />
        )}
      </Page>
    );
  }
  const { name, plan, suspended, balance, keys, members, created_at } = account.data;
  const suspend = () =>
    ask({
      title: suspended ? `Resume ${name}?` : `Suspend ${name}?`,
      confirm: suspended ? 'Resume' : 'Suspend',
      destructive: !suspended,
      children: (
        <Text size="sm">
          {suspended
            ? 'Its keys are accepted again within seconds.'
            : 'Within seconds all of its keys are refused. Nothing is deleted, and it can be resumed.'}
        </Text>
      ),
      onConfirm: async () => {
        await api.post(`${path}/${suspended ? 'resume' : 'suspend'}`);
        done(suspended ? `${name} is resumed.` : `${name} is suspended.`);
      },
    });

  return (
    <Page
      title={name}
      description={
        <>
          Created <When at={created_at} as="date" />. {back}
        </>
      }
      actions={
        <>
          <Button variant="default" onClick={() => setAsked('plan')}>
            Change plan
          </Button>
          <Button variant="default" onClick={suspend}>
            {suspended ? 'Resume' : 'Suspend'}
          </Button>
          <Button onClick={() => setAsked('credits')}>Grant credits</Button>
        </>
      }
    >
      {suspended && (
        <Alert color="orange" icon={<Icon name="warning" />} title="Suspended">
          Its keys are refused.
        </Alert>
      )}
      <Stats>
        <Stat
          label="Credits"
          value={formatNumber(balance.total)}
          note={`${formatNumber(balance.purchased)} purchased, ${formatNumber(balance.gifted)} gifted`}
        />
        <Stat label="Plan" value={plan} />
        <Stat label="Keys" value={formatNumber(keys)} />
        <Stat label="Members" value={formatNumber(members.length)} />
      </Stats>
      <Section title="Id">
        <CopyField value={id} label="Account id" />
      </Section>
      <Section
        title="Members"
        actions={
          <Button leftSection={<Icon name="plus" size={16} />} variant="default" onClick={() => setAsked('member')}>
            Add member
          </Button>
        }
        flush
      >
        <DataTable
          label="Members"
          columns={MEMBER_COLUMNS}
          rows={members}
          rowKey={({ user_id }) => user_id}
          csvName="members"
          empty={
            <EmptyState icon="team" title="Nobody yet">
              Add an owner, who can invite everybody else.
            </EmptyState>
          }
        />
      </Section>
      <FormDialog
        opened={asked === 'plan'}
        onClose={() => setAsked(null)}
        title={`Change the plan of ${name}`}
        submit="Change plan"
        send={(form) => api.post(`${path}/plan`, { plan: textOf(form, 'plan') })}
        onDone={() => done('The plan is changed.')}
      >
        <NativeSelect label="Plan" name="plan" data={plans} defaultValue={plan} />
      </FormDialog>
      <FormDialog
        opened={asked === 'credits'}
        onClose={() => setAsked(null)}
        title={`Grant credits to ${name}`}
        submit="Grant"
        send={(form) =>
          api.post(`${path}/credits`, {
            credits: Number(textOf(form, 'credits').replaceAll(/\D/g, '')),
            kind: textOf(form, 'kind'),
            reference: textOf(form, 'reference'),
          })
        }
        onDone={() => done('The credits are granted.')}
      >
        <NumberInput
          label="Credits"
          name="credits"
          min={1}
          allowDecimal={false}
          thousandSeparator=","
          required
          withAsterisk={false}
          data-autofocus
        />
        <NativeSelect
          label="Kind"
          name="kind"
          data={[
            { value: 'purchased', label: 'Purchased' },
            { value: 'gifted', label: 'Gifted' },
          ]}
        />
        <TextInput
          label="Reference"
          name="reference"
          description="Such as the number of an invoice. The same reference never grants twice."
          required
          withAsterisk={false}
          maxLength={64}
        />
      </FormDialog>
      <FormDialog
        opened={asked === 'member'}
        onClose={() => setAsked(null)}
        title={`Add a member to ${name}`}
        submit="Add"
        send={(form) =>
          api.post<NewMember>(`${path}/members`, { email: textOf(form, 'email'), role: textOf(form, 'role') })
        }
        onDone={(member) => {
          done(`${member.email} is ${member.known ? 'invited' : 'a member'}.`);
          setLink(member);
        }}
      >
        <TextInput label="Email" name="email" type="email" required withAsterisk={false} data-autofocus />
        <NativeSelect
          label="Role"
          name="role"
          defaultValue="owner"
          data={ROLES.map(({ value, label }) => ({ value, label }))}
        />
      </FormDialog>
      <LinkDialog made={link} onClose={() => setLink(null)} />
      {dialog}
    </Page>
  );
}

const MEMBER_COLUMNS: Column<Member>[] = [
  {
    key: 'person',
    header: 'Person',
    value: ({ name, email }) => `${name ?? ''} ${email}`.trim(),
    render: ({ name, email, invited }) => (
      <Stack gap={0} align="inherit">
        <Text size="sm" fw={500}>
          {name || email}
        </Text>
        <Text size="xs" c="dimmed">
          {[name ? email : null, invited ? 'invited' : null].filter(Boolean).join(', ')}
        </Text>
      </Stack>
    ),
  },
  { key: 'role', header: 'Role', value: ({ role }) => role },
  {
    key: 'seen',
    header: 'Last signed in',
    value: ({ last_signed_in_at }) => last_signed_in_at,
    render: ({ last_signed_in_at }) => <When at={last_signed_in_at} as="ago" none="never" />,
  },
];
