import { Center, Loader, VisuallyHidden } from '@mantine/core';

/** A page is on its way. */
export function Waiting({ h = '100dvh' }: { h?: string }) {
  return (
    <Center h={h} role="status">
      <VisuallyHidden>Loading</VisuallyHidden>
      <Loader />
    </Center>
  );
}
