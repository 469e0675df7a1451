import { Text } from '@mantine/core';
import { CopyField } from '../../components/copy';
import { ShownOnce } from '../../components/shown-once';

export interface MadeLink {
  readonly email: string;
  readonly link: string;
  /** The person has a sign-in already. */
  readonly known: boolean;
}

/** A one-time link to pass on. */
export function LinkDialog({ made, onClose }: { made: MadeLink | null; onClose: () => void }) {
  return (
    <ShownOnce title="A link to pass on" onClose={onClose}>
      {made && (
        <>
          <Text size="sm">
            Give this link to {made.email}, in a message that nobody else reads. It works once, for 24 hours.{' '}
            {made.known
              ? 'This person has a sign-in already, and is a member once they open it, sign in as before, and join.'
              : 'Whoever opens it chooses the password.'}
          </Text>
          <CopyField value={made.link} label="Link" />
        </>
      )}
    </ShownOnce>
  );
}
