/** Identity's manifest: principals, their credentials and sessions, and tokens. */
import type { Context } from '../kernel/context';

export const context: Context = {
  name: 'identity',
  scopes: [
    { name: 'principals:read', description: 'See people, pipelines and agents' },
    { name: 'principals:write', description: 'See and change people, pipelines and agents' },
    { name: 'credentials:write', description: 'Make and revoke secrets of principals' },
    { name: 'clients:read', description: 'See applications and what they may ask for' },
    { name: 'clients:write', description: 'See and change applications and what they may ask for' },
    { name: 'sessions:read', description: 'See who is signed in where' },
    { name: 'sessions:write', description: 'See and change who is signed in where' },
    { name: 'grants:read', description: 'See what people have allowed applications' },
    { name: 'grants:write', description: 'See and change what people have allowed applications' },
    { name: 'delegations:create', description: 'Let agents act for you, with some of what you may do yourself' },
    { name: 'apis:read', description: 'See APIs and tools that tokens are issued for' },
    { name: 'apis:write', description: 'Register and change APIs and tools, and give their scopes to anyone' },
    {
      name: 'approvals:decide',
      description: 'See what agents ask to do, and let them do it where you may do it yourself',
    },
    { name: 'keys:read', description: 'See the keys that tokens are signed with' },
    { name: 'keys:write', description: 'Rotate and revoke the keys that tokens are signed with' },
    { name: 'tokens:revoke', description: 'End tokens of any principal in your organization' },
    { name: 'tokens:introspect', description: 'Look up what a token allows' },
    { name: 'security:read', description: 'See security settings and events' },
    { name: 'security:state', description: 'Follow which tokens were revoked' },
    { name: 'security:write', description: 'Change security settings' },
    {
      name: 'tenant:write',
      description: 'Change the policies of your organization, and sign everyone out',
    },
  ],
  tags: [
    {
      name: 'tokens',
      description: 'OAuth 2.1 and OpenID Connect: tokens, their claims, the keys that sign them, discovery.',
      paths: /^\/(oauth|\.well-known)\//,
    },
    {
      name: 'principals',
      description: 'People, pipelines and agents: their roles, scopes, credentials, authenticators and history.',
      paths: /^\/v1\/(principals|people|bootstrap|credentials)/,
    },
    {
      name: 'applications',
      description: 'Clients that people sign in to, or that act in the name of a principal, and their secrets.',
      paths: /^\/v1\/(built-in-)?clients/,
    },
    {
      name: 'sessions-and-grants',
      description: 'Where people are signed in, and what they have allowed applications.',
      paths: /^\/v1\/(sessions|grants|refresh-families|principals\/\{principalId\}\/(sessions|grants))/,
    },
    {
      name: 'delegations',
      description: 'What agents may do for people and services, for one task and some hours.',
      paths: /^\/v1\/delegations/,
    },
    {
      name: 'apis',
      description:
        'APIs of the organization that tokens are issued for, their scopes, and what agents may use through their tools.',
      paths: /^\/v1\/apis/,
    },
    {
      name: 'approvals',
      description: 'What agents ask people to approve: one exact action, done once.',
      paths: /^\/v1\/(approvals|agent-actions)/,
    },
    {
      name: 'workloads',
      description:
        'Workloads that act without a secret: issuers of their credentials, rules over what these attest, and the exchange.',
      paths: /^\/v1\/(workload-issuers|trust-rules|trust-rule-tests|token\/exchange)/,
    },
    {
      name: 'policies',
      description:
        'What the access policy of the tenant decides, how people sign in, how long credentials last, what applications register by themselves, and which scopes there are.',
      paths: /^\/v1\/(((sign-in|credential|registration)-)?policy|scopes)/,
    },
    {
      name: 'tenants',
      description: 'Tenants of the installation, for operators of the platform.',
      paths: /^\/v1\/tenants/,
    },
    {
      name: 'security',
      description: 'Security events, revocations and signing keys.',
      paths: /^\/v1\/(security|tokens|signing-keys)/,
    },
  ],
  limitGroups: [
    {
      name: 'token',
      methods: ['POST'],
      paths: ['/oauth/token', '/v1/token/exchange', '/v1/security/recover'],
      by: 'strangers',
      provenApart: true,
    },
    {
      name: 'introspection',
      methods: ['POST'],
      paths: ['/oauth/introspect', '/oauth/revoke'],
      by: 'strangers',
      provenApart: true,
    },
    { name: 'registration', methods: ['POST', 'PUT', 'DELETE'], paths: ['/oauth/register/**'], by: 'strangers' },
    { name: 'delegation', methods: ['POST'], paths: ['/v1/delegations/**'], by: 'callers' },
    { name: 'keys', methods: ['GET'], paths: ['/oauth/jwks', '/.well-known/**'], by: 'strangers' },
    { name: 'first-admin', paths: ['/v1/bootstrap'], by: 'strangers' },
    {
      name: 'sign-in',
      methods: ['POST'],
      paths: ['/sign-in/**', '/device/**', '/console/session/**'],
      by: 'strangers',
      provenApart: true,
    },
    { name: 'authorization', paths: ['/oauth/**'], by: 'strangers' },
    {
      name: 'page',
      paths: ['/sign-in/**', '/consent/**', '/device/**', '/account/**', '/console/session/**'],
      by: 'strangers',
    },
  ],
  destinations: [
    { paths: ['/v1/security/detection/back-test'], methods: ['POST'], service: 'read-api', question: true },
    {
      paths: ['/v1/policy/validate', '/v1/policy/explain'],
      methods: ['POST'],
      service: 'read-api',
      question: true,
    },
    { paths: ['/v1/bootstrap'], methods: ['POST'], service: 'commands', authenticatedBy: 'service' },
    {
      paths: ['/sign-in/**', '/consent/**', '/device/**', '/account/**', '/oauth/authorize/**', '/oauth/logout/**'],
      service: 'commands',
      authenticatedBy: 'service',
      browser: true,
    },
    { paths: ['/.well-known/**'], methods: ['GET'], service: 'commands', authenticatedBy: 'service' },
    { paths: ['/v1/token/exchange'], methods: ['POST'], service: 'commands', authenticatedBy: 'service' },
    { paths: ['/v1/security/recover'], methods: ['POST'], service: 'commands', authenticatedBy: 'service' },
    // OAuth endpoints authenticate clients themselves.
    { paths: ['/oauth/**'], service: 'commands', authenticatedBy: 'service' },
  ],
  services: [],
};
