import { lazy, Suspense, type ComponentType } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router';
import { Waiting } from '../components/waiting';
import { CrashScreen } from './crash-screen';
import { useKeptFocus } from './keep-focus';
import { NAVIGATION } from './navigation';

const SignIn = lazy(() => import('../pages/sign-in/sign-in-page'));
const Welcome = lazy(() => import('../pages/welcome/welcome-page'));
const Shell = lazy(() => import('./shell'));
const AccountArea = lazy(() => import('./account-area'));
const LastAccount = lazy(() => import('./last-account'));
const NotFound = lazy(() => import('../pages/not-found/not-found-page'));

/** Each page is a file of its own for the browser, loaded when somebody goes there. */
const PAGES: Readonly<Record<string, ComponentType>> = {
  '/overview': lazy(() => import('../pages/overview/overview-page')),
  '/verify': lazy(() => import('../pages/verify/verify-page')),
  '/lists': lazy(() => import('../lists/lists-page')),
  '/domains': lazy(() => import('../pages/domains/domains-page')),
  '/keys': lazy(() => import('../pages/keys/keys-page')),
  '/guard': lazy(() => import('../pages/guard/guard-page')),
  '/webhooks': lazy(() => import('../pages/webhooks/webhooks-page')),
  '/credits': lazy(() => import('../pages/credits/credits-page')),
  '/security': lazy(() => import('../pages/security/security-page')),
};
/** The other paths lead to one page each. */
const HAVE_PAGES_BELOW = new Set(['/lists', '/domains']);
const Admin = lazy(() => import('../pages/admin/admin-page'));

export function Routing() {
  const { pathname } = useLocation();
  useKeptFocus();
  return (
    <CrashScreen at={pathname}>
      <Suspense fallback={<Waiting />}>
        <Routes>
          <Route path="/sign-in" element={<SignIn />} />
          <Route path="/welcome" element={<Welcome />} />
          <Route element={<Shell />}>
            <Route path="/" element={<LastAccount to="/overview" />} />
            {NAVIGATION.map(({ path }) => (
              <Route key={path} path={`${path}/*`} element={<LastAccount to={path} />} />
            ))}
            <Route path="/a/:account" element={<AccountArea />}>
              <Route index element={<Navigate to="overview" replace />} />
              {NAVIGATION.map(({ path }) => {
                const PageOf = PAGES[path] ?? NotFound;
                const below = HAVE_PAGES_BELOW.has(path) ? '/*' : '';
                return <Route key={path} path={path.slice(1) + below} element={<PageOf />} />;
              })}
              <Route path="*" element={<NotFound />} />
            </Route>
            <Route path="/admin/*" element={<Admin />} />
            <Route path="*" element={<NotFound />} />
          </Route>
        </Routes>
      </Suspense>
    </CrashScreen>
  );
}
