import { Alert, Box, Button, Code, Group, List, Modal, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api } from '../../api/client';
import type { RecoveryCodes, TotpSecret } from '../../api/types';
import { CopyField, CopyTextButton } from '../../components/copy';
import { Icon } from '../../components/icons';
import { Failure } from '../../components/states';
import { QrCode } from './qr-code';
import { formText } from '../../components/form-text';

/** Password, then the secret as a QR code and a first code, then the recovery codes. */
export function TotpOnDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const [recovery, setRecovery] = useState<readonly string[] | null>(null);
  const start = useMutation({ mutationFn: (password: string) => api.post<TotpSecret>('/me/totp', { password }) });
  const confirm = useMutation({
    mutationFn: (code: string) => api.post<RecoveryCodes>('/me/totp/confirm', { code }),
    onSuccess: ({ recovery_codes }) => setRecovery(recovery_codes),
  });
  const close = () => {
    start.reset();
    confirm.reset();
    setRecovery(null);
    onClose();
    void client.invalidateQueries({ queryKey: ['me'] });
  };
  const submit = (send: (value: string) => void) => (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    send(formText(new FormData(event.currentTarget), 'value').trim());
  };
  const error = recovery ? null : start.data ? confirm.error : start.error;

  return (
    <Modal
      opened={opened}
      onClose={close}
      title="Switch on the second step"
      centered
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={recovery === null}
      withCloseButton={recovery === null}
    >
      <Stack>
        <Failure error={error} />
        {recovery ? (
          <>
            <Alert color="orange" icon={<Icon name="warning" />} title="Keep these recovery codes">
              Each works once in place of a code, should you lose the device. They are shown this once.
            </Alert>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" aria-label="Recovery codes" component="ul" p={0} m={0}>
              {recovery.map((code) => (
                <Code key={code} component="li" fz="sm" p="xs" style={{ listStyle: 'none', textAlign: 'center' }}>
                  {code}
                </Code>
              ))}
            </SimpleGrid>
            <Group justify="space-between">
              <CopyTextButton value={recovery.join('\n')}>Copy all</CopyTextButton>
              <Button onClick={close}>I have kept them</Button>
            </Group>
          </>
        ) : start.data ? (
          <form onSubmit={submit((code) => confirm.mutate(code))}>
            <Stack>
              <List type="ordered" size="sm" spacing={4}>
                <List.Item>Open an authenticator app on your phone, and add an account.</List.Item>
                <List.Item>Scan this picture, or type the key below it.</List.Item>
                <List.Item>Type the code that the app shows.</List.Item>
              </List>
              <Box mx="auto">
                <QrCode text={start.data.uri} label="The key for an authenticator app as a QR code" />
              </Box>
              <CopyField value={start.data.secret} label="Key" />
              <TextInput
                label="Authentication code"
                name="value"
                inputMode="numeric"
                autoComplete="one-time-code"
                pattern="[0-9 ]{6,8}"
                required
                withAsterisk={false}
                data-autofocus
              />
              <Group justify="flex-end">
                <Button variant="default" onClick={close}>
                  Cancel
                </Button>
                <Button type="submit" loading={confirm.isPending}>
                  Continue
                </Button>
              </Group>
            </Stack>
          </form>
        ) : (
          <form onSubmit={submit((password) => start.mutate(password))}>
            <Stack>
              <Text size="sm">First your password again, so that nobody else does this at your open computer.</Text>
              <TextInput
                label="Password"
                name="value"
                type="password"
                autoComplete="current-password"
                required
                withAsterisk={false}
                data-autofocus
              />
              <Group justify="flex-end">
                <Button variant="default" onClick={close}>
                  Cancel
                </Button>
                <Button type="submit" loading={start.isPending}>
                  Continue
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </Stack>
    </Modal>
  );
}
