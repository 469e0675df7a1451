import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { Page, Section } from '../../components/page';
import { EmptyState } from '../../components/states';

export default function NotFoundPage() {
  return (
    <Page title="Not found">
      <Section>
        <EmptyState
          icon="search"
          title="There is nothing here"
          action={
            <Button component={Link} to="/">
              To the overview
            </Button>
          }
        >
          The address may be mistyped, or belong to an account that you are not a member of.
        </EmptyState>
      </Section>
    </Page>
  );
}
