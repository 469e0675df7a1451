import { Page, Section } from '../../components/page';
import { EmptyState } from '../../components/states';

export default function SecurityPage() {
  return (
    <Page title="Team and security">
      <Section>
        <EmptyState title="This page is not made yet" />
      </Section>
    </Page>
  );
}
