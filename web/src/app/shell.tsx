import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import { AppShell, Box, Burger, Divider, Group, Loader } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { Suspense, useEffect, useRef, useTransition } from 'react';
import {
  Link,
  Navigate,
  NavLink,
  Outlet,
  useLinkClickHandler,
  useLocation,
  useMatch,
  useNavigationType,
  NavigationType,
} from 'react-router';
import { ErrorState, Lines } from '../components/states';
import { Icon } from '../components/icons';
import { Waiting } from '../components/waiting';
import mark from '../mark.svg';
import { AccountChooser } from './account-chooser';
import { CrashScreen } from './crash-screen';
import { NAVIGATION, type Place } from './navigation';
import { PersonMenu } from './person-menu';
import { SchemeToggle } from './scheme-toggle';
import { isSignedOut, useMe } from './session';
import classes from './shell.module.css';

/** The frame of every page behind the sign-in. */
export default function Shell() {
  const me = useMe();
  const { pathname, search, hash } = useLocation();
  const accountId = useMatch('/a/:account/*')?.params.account;
  const [opened, { toggle, close }] = useDisclosure(false);
  const main = useRef<HTMLElement>(null);
  const before = useRef(pathname);
  const navigation = useNavigationType();

  // A reader with a screen reader or a keyboard goes on at the new page, not behind the link in the navigation.
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    close();
    // A short path has led to its long one: nobody has gone anywhere.
    if (navigation === NavigationType.Replace) return;
    main.current?.focus({ preventScroll: true });
    globalThis.scrollTo(0, 0);
  }, [pathname, close, navigation]);

  if (isSignedOut(me.error)) {
    const next = pathname === '/' ? '' : `?next=${encodeURIComponent(pathname + search + hash)}`;
    return <Navigate to={`/sign-in${next}`} replace />;
  }
  if (me.error && !me.data) return <ErrorState error={me.error} heading={1} retry={() => void me.refetch()} />;
  if (!me.data) return <Waiting />;

  const shown = me.data.accounts.find(({ id }) => id === accountId) ?? me.data.accounts[0];
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', sm: 'lg', lg: 'xl' }}
    >
      <a href="#main" className={classes.skip}>
        Skip to the content
      </a>
      <AppShell.Header className={classes.header}>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger
            opened={opened}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={opened ? 'Close the navigation' : 'Open the navigation'}
            aria-expanded={opened}
          />
          <Link to="/" className={classes.brand} aria-label="Mailvet, to the overview">
            <img src={mark} alt="" width={28} height={28} />
            <Box component="span" visibleFrom="xs">
              Mailvet
            </Box>
          </Link>
          <AccountChooser accounts={me.data.accounts} current={accountId ? shown : undefined} />
          <Group ml="auto" gap={4} wrap="nowrap">
            <SchemeToggle />
            <PersonMenu user={me.data.user} account={shown} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} p="sm" aria-label="Pages" data-opened={opened || undefined}>
        {shown &&
          NAVIGATION.map((place) => <PlaceLink key={place.path} {...place} to={`/a/${shown.id}${place.path}`} />)}
        {me.data.user.operator && (
          <>
            {shown && <Divider my="sm" />}
            <PlaceLink path="/admin" name="Operation" icon="admin" to="/admin" />
          </>
        )}
      </AppShell.Navbar>
      <AppShell.Main className={classes.main} id="main" ref={main} tabIndex={-1}>
        <div className={classes.content}>
          <CrashScreen at={pathname}>
            <Suspense fallback={<Lines count={4} height={28} />}>
              <Outlet />
            </Suspense>
          </CrashScreen>
        </div>
      </AppShell.Main>
      <Notifications position="bottom-right" />
    </AppShell>
  );
}

/** Shows that it was taken until the file of its page has come: the page before stays for that long. */
function PlaceLink({ to, name, icon }: Place & { to: string }) {
  const go = useLinkClickHandler(to);
  const [isGoing, startGoing] = useTransition();
  return (
    <NavLink to={to} className={classes.place} onClick={(event) => startGoing(() => go(event))} aria-busy={isGoing}>
      {isGoing ? <Loader size={19} /> : <Icon name={icon} size={19} />}
      {name}
    </NavLink>
  );
}
