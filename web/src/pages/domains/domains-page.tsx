import { Page, Section } from '../../components/page';
import { EmptyState } from '../../components/states';

export default function DomainsPage() {
  return (
    <Page title="Domains">
      <Section>
        <EmptyState title="This page is not made yet" />
      </Section>
    </Page>
  );
}
