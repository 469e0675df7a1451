import { Page, Section } from '../../components/page';
import { EmptyState } from '../../components/states';

export default function CreditsPage() {
  return (
    <Page title="Credits">
      <Section>
        <EmptyState title="This page is not made yet" />
      </Section>
    </Page>
  );
}
