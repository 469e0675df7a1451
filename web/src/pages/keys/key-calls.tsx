import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { Options } from '../../api/types';
import { CodeBlock } from '../../components/copy';
import { Section } from '../../components/page';

/** The first call, ready to paste. */
export function KeyCalls() {
  const options = useQuery({
    queryKey: ['options'],
    queryFn: ({ signal }) => api.get<Options>('/options', { signal }),
    staleTime: Infinity,
  });
  const address = options.data?.api_url ?? 'https://api.example.com';
  const code = [
    `curl -s ${address}/v1/verify/single \\`,
    `  -H 'X-API-Key: YOUR_KEY' -H 'Content-Type: application/json' \\`,
    `  -d '{"email": "someone@example.com", "mode": "enhanced"}'`,
  ].join('\n');
  return (
    <Section title="Use it">
      <Text size="sm" mb="sm">
        Send the key as the header <code>X-API-Key</code>. Keep it on your servers: whoever has it can spend your
        credits.
      </Text>
      <CodeBlock code={code} label="An example call with curl" />
    </Section>
  );
}
