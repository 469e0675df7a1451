import { Page, Section } from '../../components/page';
import { EmptyState } from '../../components/states';

export default function VerifyPage() {
  return (
    <Page title="Verify">
      <Section>
        <EmptyState title="This page is not made yet" />
      </Section>
    </Page>
  );
}
