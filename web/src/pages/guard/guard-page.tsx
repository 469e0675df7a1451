import { Page, Section } from '../../components/page';
import { EmptyState } from '../../components/states';

export default function GuardPage() {
  return (
    <Page title="Guard">
      <Section>
        <EmptyState title="This page is not made yet" />
      </Section>
    </Page>
  );
}
