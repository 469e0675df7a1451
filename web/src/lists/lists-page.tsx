import { Page, Section } from '../components/page';
import { EmptyState } from '../components/states';

export default function ListsPage() {
  return (
    <Page title="Lists">
      <Section>
        <EmptyState icon="lists" title="This page is not made yet" />
      </Section>
    </Page>
  );
}
