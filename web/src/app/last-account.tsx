import { lazy } from 'react';
import { Navigate, useLocation } from 'react-router';
import { EmptyState } from '../components/states';
import { Page, Section } from '../components/page';
import { LAST_ACCOUNT } from './account-area';
import { heldLink } from './held-link';
import { useMe } from './session';

const SecurityPage = lazy(() => import('../pages/security/security-page'));

/** `/keys` leads to `/a/<the account used last>/keys`, and `/` to the link for which somebody signed in. */
export default function LastAccount({ to }: { to: string }) {
  const { data } = useMe();
  const { pathname, search, hash } = useLocation();
  if (!data) return null;
  const held = pathname === '/' ? heldLink() : null;
  if (held !== null) return <Navigate to={`/welcome#token=${held}`} replace />;
  const last = new Set([localStorage.getItem(LAST_ACCOUNT), data.last_account]);
  const account = data.accounts.find(({ id }) => last.has(id)) ?? data.accounts[0];
  if (account) {
    const path = pathname === '/' ? to : pathname;
    return <Navigate to={`/a/${account.id}${path}${search}${hash}`} replace />;
  }
  if (to === '/security') return <SecurityPage />;
  if (data.user.operator) return <Navigate to="/admin" replace />;
  return (
    <Page title="Welcome">
      <Section>
        <EmptyState icon="team" title="You are not a member of an account">
          Ask an owner of the account to add {data.user.email} under Team and security, then load this page again.
        </EmptyState>
      </Section>
    </Page>
  );
}
