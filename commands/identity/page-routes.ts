/** URL table of the sign-in and account pages. */
import { isLeft } from 'fp-ts/Either';
import {
  type BoundRoute,
  bind,
  type PageAnswer,
  type RouteRequest,
  route,
} from '../../infra/server/http/routing/route';
import { showAccount } from './account/account-page';
import {
  addPasskey,
  removePasskey,
  removePassword,
  removeTotp,
  setPassword,
  showPassword,
} from './account/authenticators';
import { removeLink, showLink } from './account/federated-identities';
import { endAll, endOne, showSignOut, signOut } from './account/sessions';
import { enrolTotp, renewRecoveryCodes, showTotp } from './account/totp';
import { type Fields, LooseFields } from './pages/form';
import { problemPageOf, redirect } from './pages/page';
import { currentSession } from './sessions/current-session';
import { parseSessionCookie } from './sessions/session-cookie';
import { isFirstSignInOpen, showBootstrap, submitBootstrap } from './sign-in/bootstrap-page';
import type { PageRequest, SignInDeps } from './sign-in/dependencies';
import { enrolPasskey, enrolPassword, showEnrolment } from './sign-in/enrolment/enrolment-flow';
import { handleProviderCallback, redirectToProvider } from './sign-in/federation/provider-sign-in';
import { renderLogin } from './sign-in/login-page';
import { readLoginRequest, satisfies } from './sign-in/login-request';
import { signInWithPasskey } from './sign-in/passkeys/sign-in-with-passkey';
import { showRecovery, submitRecovery } from './sign-in/recover-access';
import { showRecoveryPage, submitRecoveryCode } from './sign-in/second-factor/recovery-page';
import { showTotpPage, submitTotpCode } from './sign-in/second-factor/totp-page';
import { signInWithPassword } from './sign-in/sign-in-with-password';

type PageHandler = (deps: SignInDeps, pageRequest: PageRequest, query: Fields) => Promise<PageAnswer>;
type FormHandler = (deps: SignInDeps, pageRequest: PageRequest, form: Fields) => Promise<PageAnswer>;

const commonRoute = { answers: { 200: { description: 'A page.' } }, access: 'public', page: true } as const;

const operationOf = (method: string, path: string): string =>
  `${method}${path
    .split(/[/-]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')}`;

/** A route without its dependencies. */
type UnboundRoute = (deps: SignInDeps) => BoundRoute;

const pageRoute = (path: string, show: PageHandler): UnboundRoute => {
  const definition = route<SignInDeps>()({
    ...commonRoute,
    method: 'get',
    path,
    operation: operationOf('show', path),
    summary: 'A page for people',
    query: LooseFields,
    handle: (deps, { headers, requestId, query }: RouteRequest<unknown, Fields, unknown>) =>
      show(deps, { headers, requestId }, query),
  });
  return (deps) => bind(deps, definition);
};

const formRoute = (path: string, take: FormHandler): UnboundRoute => {
  const taken = route<SignInDeps>()({
    ...commonRoute,
    method: 'post',
    path,
    operation: operationOf('take', path),
    summary: 'A form of a page for people',
    body: LooseFields,
    bodyType: 'form',
    handle: (deps, { headers, requestId, body }: RouteRequest<unknown, unknown, Fields>) =>
      take(deps, { headers, requestId }, body),
  });
  return (deps) => bind(deps, taken);
};

/** The tenant of the browser's last session, also of an expired one: people usually sign in where they did before. */
const lastTenantOf = ({ browsers: { cookies }, firstSignIn }: SignInDeps, { headers }: PageRequest) =>
  parseSessionCookie(cookies.read(headers.cookie, 'account') ?? '')?.tenantId ?? firstSignIn.tenantId;

const consolePath = '/console';

/** Redirects at once when the session already satisfies the request. */
const showLogin: PageHandler = async (deps, pageRequest, query) => {
  const loginRequest = readLoginRequest(query, lastTenantOf(deps, pageRequest));
  const current = await currentSession(deps, pageRequest.headers);
  if (isLeft(current)) return problemPageOf(current.left);
  const { right: session } = current;
  if (session !== null && satisfies(session, loginRequest, deps.clock.now())) return redirect(loginRequest.continue);
  // On a fresh installation the way into the console begins with the printed code; other pages keep the usual form.
  const isToConsole =
    query.continue?.startsWith(consolePath) === true && loginRequest.tenantId === deps.firstSignIn.tenantId;
  if (!isToConsole) return renderLogin(deps, pageRequest, { loginRequest });
  const isFirst = await isFirstSignInOpen(deps);
  if (isLeft(isFirst)) return problemPageOf(isFirst.left);
  return isFirst.right ? redirect('/sign-in/first') : renderLogin(deps, pageRequest, { loginRequest });
};

/** Passes the query on unchanged: openid-client validates every parameter against the request. */
const showProviderCallback: PageHandler = (deps, pageRequest, query) => {
  const parameters = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return handleProviderCallback(deps, pageRequest, {
    fields: query,
    query: new URLSearchParams(parameters).toString(),
  });
};

const loginRoutes = [
  pageRoute('/sign-in', showLogin),
  formRoute('/sign-in', signInWithPassword),
  formRoute('/sign-in/passkey', signInWithPasskey),
  pageRoute('/sign-in/code', showTotpPage),
  formRoute('/sign-in/code', submitTotpCode),
  pageRoute('/sign-in/recovery', showRecoveryPage),
  formRoute('/sign-in/recovery', submitRecoveryCode),
  pageRoute('/sign-in/recover', showRecovery),
  formRoute('/sign-in/recover', submitRecovery),
  pageRoute('/sign-in/first', showBootstrap),
  formRoute('/sign-in/first', submitBootstrap),
  pageRoute('/sign-in/enrol', showEnrolment),
  formRoute('/sign-in/enrol', enrolPassword),
  formRoute('/sign-in/enrol/passkey', enrolPasskey),
  formRoute('/sign-in/with', redirectToProvider),
  pageRoute('/sign-in/back', showProviderCallback),
];

export const loginPageRoutes = (deps: SignInDeps): readonly BoundRoute[] => loginRoutes.map((one) => one(deps));

const ownAccountRoutes = [
  pageRoute('/account', (deps, pageRequest) => showAccount(deps, pageRequest)),
  formRoute('/account/sessions/end', endOne),
  formRoute('/account/sessions/end-all', endAll),
  pageRoute('/account/password', showPassword),
  formRoute('/account/password', setPassword),
  formRoute('/account/password/remove', removePassword),
  formRoute('/account/passkeys', addPasskey),
  formRoute('/account/passkeys/remove', removePasskey),
  pageRoute('/account/totp', showTotp),
  formRoute('/account/totp', enrolTotp),
  formRoute('/account/totp/remove', removeTotp),
  formRoute('/account/recovery-codes', renewRecoveryCodes),
  pageRoute('/account/link', showLink),
  formRoute('/account/links/remove', removeLink),
  pageRoute('/account/sign-out', showSignOut),
  formRoute('/account/sign-out', signOut),
];

export const accountPageRoutes = (deps: SignInDeps): readonly BoundRoute[] => ownAccountRoutes.map((one) => one(deps));
