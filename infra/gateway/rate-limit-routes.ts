/** What requests are for, as limits see it. The first group that fits counts, so what is narrow stands before what is wide. */
import type { RouteGroup } from '../ratelimit/policy';

const reading = ['GET'];
const writing = ['POST', 'PUT', 'DELETE'];

/** Of a group for callers who have proved themselves before. */
export const provenSuffix = '-proven';
const provenGroups = ['token', 'introspection', 'sign-in'];

const ofStrangers: readonly RouteGroup[] = [
  { name: 'token', methods: ['POST'], paths: ['/oauth/token'] },
  { name: 'introspection', methods: ['POST'], paths: ['/oauth/introspect', '/oauth/revoke'] },
  { name: 'registration', methods: writing, paths: ['/oauth/register/**'] },
  { name: 'keys', methods: reading, paths: ['/oauth/jwks', '/.well-known/**'] },
  { name: 'first-admin', paths: ['/v1/bootstrap'] },
  { name: 'sign-in', methods: ['POST'], paths: ['/sign-in/**', '/device/**', '/console/session/**'] },
  { name: 'authorization', paths: ['/oauth/**'] },
  { name: 'page', paths: ['/sign-in/**', '/consent/**', '/device/**', '/account/**', '/console/session/**'] },
  // Named where it is asked about: their paths are other services' own.
  { name: 'checked', paths: ['/ext-authz/**'] },
  { name: 'blob', paths: ['/blobs/**'] },
  // What failed before anybody was known, wherever it went: named where it is counted, and nothing lies at this path.
  { name: 'refused', paths: ['/:refused'] },
  // The same for callers whose credential was found good before: what strangers at their address do must not use theirs up.
  ...provenGroups.map((name) => ({ name: `${name}${provenSuffix}`, paths: [`/:${name}${provenSuffix}`] })),
];

/**
 * What gives authority away or cannot be undone. Not what takes authority back: who ends a stolen token must never be told to wait for
 * a counter.
 */
const ofDanger: RouteGroup = {
  name: 'danger',
  methods: writing,
  paths: [
    '/v1/principals/*/credentials',
    '/v1/principals/*/enrolments',
    '/v1/principals/*/reactivate',
    '/v1/principals/*/roles/grant',
    '/v1/principals/*/scopes/grant',
    '/v1/clients/*/secrets',
    '/v1/people',
    '/v1/privacy/forget',
    '/v1/sign-in-policy',
    '/v1/credential-policy',
    '/v1/signing-keys/rotate',
    '/v1/platform/work/dead-letters/*/drop',
  ],
};

const ofCallers: readonly RouteGroup[] = [
  ofDanger,
  // Asked before each request of somebody's own.
  { name: 'decision', methods: ['POST'], paths: ['/v1/ratelimit/**'] },
  { name: 'read', methods: reading, paths: ['/v1/**'] },
  { name: 'command', paths: ['/v1/**'] },
];

export const routeGroups: readonly RouteGroup[] = [...ofStrangers, ...ofCallers];

/** It is served here, and costs what a service does. */
export const isSession = (target: string): boolean => /^\/console\/session(?:[/?]|$)/.test(target);

/** What everybody needs to check tokens, and to find out where to get them. */
export const isDiscovery = (target: string): boolean => /^\/(?:oauth\/jwks(?:\?|$)|\.well-known\/)/.test(target);

/** What clients of OAuth ask for, who may say in the form who they are. */
export const namesClient = (target: string): boolean => /^\/oauth\/(?:token|introspect|revoke)\/?(?:\?|$)/.test(target);

/** Answers with success only who was authenticated there, or presented a grant of its own; a revocation is always a success. */
export const authenticatesClients = (target: string): boolean =>
  /^\/oauth\/(?:token|introspect)\/?(?:\?|$)/.test(target);
