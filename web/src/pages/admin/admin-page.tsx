import { Page, Section } from '../../components/page';
import { EmptyState } from '../../components/states';

export default function AdminPage() {
  return (
    <Page title="Operation">
      <Section>
        <EmptyState title="This page is not made yet" />
      </Section>
    </Page>
  );
}
