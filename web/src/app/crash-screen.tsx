import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { Component, type ReactNode } from 'react';

/** What stands where a page has failed, or could not be loaded: there is no connection, or the service was updated. */
export class CrashScreen extends Component<{ at: string; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  /** Another page may be whole. */
  override componentDidUpdate(before: { at: string }): void {
    if (this.state.failed && before.at !== this.props.at) this.setState({ failed: false });
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <Center mih="70dvh" p="lg">
        <Stack align="center" ta="center" role="alert">
          <Title order={1}>This page has failed</Title>
          <Text c="dimmed" maw={420}>
            The connection may be lost, or the console was updated while it was open. Nothing that you did here before
            is lost. Load the page again; if it fails again, tell whoever runs this service.
          </Text>
          <Button onClick={() => globalThis.location.reload()}>Load the page again</Button>
        </Stack>
      </Center>
    );
  }
}
