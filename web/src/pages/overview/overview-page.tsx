import { Page, Section } from '../../components/page';
import { EmptyState } from '../../components/states';

export default function OverviewPage() {
  return (
    <Page title="Overview">
      <Section>
        <EmptyState title="This page is not made yet" />
      </Section>
    </Page>
  );
}
