import { Alert } from '@mantine/core';
import { useEffect, useMemo } from 'react';
import { Outlet, useParams } from 'react-router';
import NotFoundPage from '../pages/not-found/not-found-page';
import { Icon } from '../components/icons';
import { accountOf, AccountProvider, KEPT_PREFIX, useMe } from './session';

/** Remembered in this browser, so that the short paths lead where one was last. */
export const LAST_ACCOUNT = `${KEPT_PREFIX}.last-account`;

/** Pages under `/a/<account>`, for members of the account. */
export default function AccountArea() {
  const { account: id } = useParams();
  const { data } = useMe();
  const membership = data?.accounts.find((one) => one.id === id);
  const account = useMemo(() => (membership ? accountOf(membership) : null), [membership]);
  useEffect(() => {
    if (account) localStorage.setItem(LAST_ACCOUNT, account.id);
  }, [account]);
  if (!account) return <NotFoundPage />;
  return (
    <AccountProvider value={account} key={account.id}>
      {account.suspended && (
        <Alert color="orange" icon={<Icon name="warning" />} mb="lg" title="This account is suspended">
          Its keys are refused and nothing can be verified. Whoever runs this service can resume it.
        </Alert>
      )}
      <Outlet />
    </AccountProvider>
  );
}
