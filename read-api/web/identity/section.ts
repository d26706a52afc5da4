/** Manifest of the identity pages. */
import type { Section } from '../shell/section';
import { credentialsPath, revokeTokenPath, terminalPath } from './fixed-paths';
import type * as Pages from './pages';

const page = (name: keyof typeof Pages) => async () => (await import('./pages'))[name];

export const identity: Section = {
  title: 'Access',
  group: 'access',
  scope: 'principals:read',
  links: [
    { path: '/console/access', label: 'Access overview', key: 'q' },
    {
      path: '/console/principals',
      label: 'Principals',
      key: 'u',
      words: [
        'people',
        'persons',
        'users',
        'accounts',
        'add',
        'create',
        'invite',
        'register',
        'programs',
        'agents',
        'pipelines',
        'roles',
        'suspend',
        'stolen',
        'forget',
      ],
    },
    {
      path: '/console/sessions',
      label: 'Sessions',
      key: 'e',
      scope: 'sessions:read',
      words: ['signed in', 'sign out', 'log out', 'devices', 'stolen'],
    },
    {
      path: '/console/grants',
      label: 'Grants',
      key: 'a',
      scope: 'grants:read',
      words: ['consent', 'applications', 'permissions', 'revoke'],
    },
    {
      path: '/console/clients',
      label: 'Clients',
      key: 'c',
      scope: 'clients:read',
      words: ['applications', 'apps', 'oauth', 'oidc', 'secrets'],
    },
    {
      path: '/console/signing-keys',
      label: 'Signing keys',
      key: 'k',
      scope: 'keys:read',
      words: ['jwks', 'rotate', 'stolen'],
    },
    {
      path: '/console/security-events',
      label: 'Security events',
      key: 'y',
      scope: 'security:read',
      words: ['audit', 'logs', 'incidents', 'history', 'stolen'],
    },
    {
      path: '/console/refused-requests',
      label: 'Refused requests',
      key: '4',
      scope: 'security:read',
      words: ['denied', 'errors', 'forbidden', 'unauthorized', 'logs', '400', '401', '403', '404', '429'],
    },
    {
      path: '/console/sign-in-policy',
      label: 'Sign-in policy',
      key: 'i',
      scope: 'security:read',
      words: ['passwords', 'passkeys', 'second factor', 'mfa', 'totp', 'enterprise', 'lifetime'],
    },
  ],
  furtherLinks: [
    { path: '/console/clients/new', label: 'Register a client', scope: 'clients:write' },
    { path: credentialsPath, label: 'Credentials', words: ['api keys', 'secrets', 'tokens', 'stolen', 'leaked'] },
    { path: revokeTokenPath, label: 'Revoke a token', scope: 'tokens:revoke', words: ['stolen', 'leaked', 'lost'] },
    {
      path: terminalPath,
      label: 'Use the API from a terminal',
      scope: 'credentials:write',
      words: ['command line', 'cli', 'curl', 'shell', 'token', 'api key'],
    },
  ],
  pages: [
    // A script of its own: it has charts.
    { path: '/console/access', load: async () => (await import('./overview-page')).AccessOverviewPage },
    { path: '/console/principals', load: page('PrincipalListPage') },
    { path: '/console/principals/:principalId', load: page('PrincipalPage') },
    { path: '/console/principals/:principalId/activity', load: page('PrincipalActivityPage') },
    { path: '/console/security-events', load: page('SecurityEventsPage') },
    { path: '/console/refused-requests', load: page('RefusedRequestsPage') },
    { path: '/console/sign-in-policy', load: page('SignInPolicyPage') },
    { path: '/console/sessions', load: page('SessionListPage') },
    { path: '/console/grants', load: page('GrantListPage') },
    { path: '/console/grants/:grantId', load: page('GrantPage') },
    { path: '/console/clients', load: page('ClientListPage') },
    { path: '/console/clients/new', load: page('NewClientPage') },
    { path: '/console/clients/:applicationId', load: page('ClientPage') },
    { path: '/console/clients/:applicationId/change', load: page('ChangeClientPage') },
    { path: credentialsPath, load: page('CredentialListPage') },
    { path: revokeTokenPath, load: page('RevokeTokenPage') },
    { path: terminalPath, load: page('TerminalPage') },
    { path: '/console/signing-keys', load: page('KeysPage') },
  ],
};
