/**
 * Default rate limits per address, client, user and tenant. They are far above normal use and stop runaway programs and probing. Operators
 * replace the policy (`GATEWAY_RATELIMIT_POLICY`) or switch off rules (`GATEWAY_RATELIMIT_OFF`).
 */
import type { Policy, Rule, RuleLimit } from '../../../packages/ratelimit/src/index';
import { routeGroups } from './route-groups';

const perSecond = (limit: number, burst: number): RuleLimit => ({
  algorithm: 'token-bucket',
  limit,
  periodMilliseconds: 1_000,
  burst,
});
const quarterHourMilliseconds = 15 * 60_000;
const half = { local: 0.5 };
const anyClient = ['*'];

/**
 * Limits before authentication: per address, and per claimed client only together with the address, so that an attacker cannot use up
 * another client's limit.
 */
const addressRules: readonly Rule[] = [
  { name: 'token-place', by: ['ip'], when: { route: ['token'] }, limit: perSecond(200, 4_000), onStoreError: half },
  {
    name: 'token-client',
    by: ['ip', 'key'],
    when: { route: ['token'], key: anyClient },
    limit: perSecond(10, 50),
    onStoreError: half,
  },
  {
    name: 'introspection-place',
    by: ['ip'],
    when: { route: ['introspection'] },
    limit: perSecond(1_000, 10_000),
    onStoreError: half,
  },
  {
    name: 'introspection-client',
    by: ['ip', 'key'],
    when: { route: ['introspection'], key: anyClient },
    limit: perSecond(500, 5_000),
    onStoreError: half,
  },
  {
    name: 'authorization-place',
    by: ['ip'],
    when: { route: ['authorization'] },
    limit: perSecond(100, 2_000),
    onStoreError: half,
  },
  {
    name: 'registration-place',
    by: ['ip'],
    when: { route: ['registration'] },
    limit: { algorithm: 'sliding-counter', limit: 300, periodMilliseconds: quarterHourMilliseconds },
    onStoreError: 'deny',
  },
  {
    name: 'first-admin-place',
    by: ['ip'],
    when: { route: ['first-admin'] },
    limit: { algorithm: 'sliding-counter', limit: 600, periodMilliseconds: quarterHourMilliseconds },
    onStoreError: 'deny',
  },
  // Sign-in attempts that fail are also limited per login and network, in the command API.
  {
    name: 'sign-in-browser',
    by: ['ip', 'key'],
    when: { route: ['sign-in'], key: anyClient },
    limit: { algorithm: 'sliding-counter', limit: 600, periodMilliseconds: 60_000 },
    onStoreError: 'deny',
  },
  {
    name: 'sign-in-place',
    by: ['ip'],
    when: { route: ['sign-in'] },
    limit: { algorithm: 'sliding-counter', limit: 6_000, periodMilliseconds: 60_000 },
    onStoreError: 'deny',
  },
  { name: 'page-place', by: ['ip'], when: { route: ['page'] }, limit: perSecond(100, 2_000), onStoreError: 'allow' },
  // Clients cache these (Cache-Control); more frequent requests do not.
  { name: 'keys-place', by: ['ip'], when: { route: ['keys'] }, limit: perSecond(500, 5_000), onStoreError: 'allow' },
  {
    name: 'delivery-place',
    by: ['ip'],
    when: { route: ['delivery'] },
    limit: perSecond(2_000, 40_000),
    onStoreError: 'allow',
  },
  { name: 'blob-place', by: ['ip'], when: { route: ['blob'] }, limit: perSecond(500, 10_000), onStoreError: 'allow' },
  {
    name: 'service-authenticated-place',
    by: ['ip'],
    when: { route: ['service-authenticated'] },
    limit: perSecond(500, 10_000),
    onStoreError: half,
  },
  // Callers whose credential succeeded before have their own counters.
  {
    name: 'token-proven',
    by: ['ip', 'key'],
    when: { route: ['token-proven'], key: anyClient },
    limit: perSecond(10, 50),
    onStoreError: half,
  },
  {
    name: 'introspection-proven',
    by: ['ip', 'key'],
    when: { route: ['introspection-proven'], key: anyClient },
    limit: perSecond(500, 5_000),
    onStoreError: half,
  },
  {
    name: 'sign-in-proven',
    by: ['ip', 'key'],
    when: { route: ['sign-in-proven'], key: anyClient },
    limit: { algorithm: 'sliding-counter', limit: 600, periodMilliseconds: 60_000 },
    onStoreError: 'deny',
  },
  // Failed requests only. A throttled caller takes nothing of its address's share, so one broken client never blocks the address.
  // The limit of the address is for callers that present something new each time.
  {
    name: 'refused-caller',
    by: ['ip', 'key'],
    when: { route: ['refused'], key: anyClient },
    limit: perSecond(20, 2_000),
    onStoreError: half,
  },
  {
    name: 'refused-place',
    by: ['ip'],
    when: { route: ['refused'] },
    limit: perSecond(500, 20_000),
    onStoreError: half,
  },
];

const perUser = ['tenant', 'user'] as const;
const perTenant = ['tenant'] as const;

const callerRules: readonly Rule[] = [
  { name: 'read-user', by: perUser, when: { route: ['read'] }, limit: perSecond(500, 10_000), onStoreError: 'allow' },
  {
    name: 'read-tenant',
    by: perTenant,
    when: { route: ['read'] },
    limit: perSecond(2_000, 40_000),
    onStoreError: 'allow',
  },
  {
    name: 'command-user',
    by: perUser,
    when: { route: ['command'] },
    limit: perSecond(200, 4_000),
    onStoreError: half,
  },
  {
    name: 'delegation-user',
    by: perUser,
    when: { route: ['delegation'] },
    limit: perSecond(10, 200),
    onStoreError: half,
  },
  {
    name: 'delegation-tenant',
    by: perTenant,
    when: { route: ['delegation'] },
    limit: perSecond(100, 2_000),
    onStoreError: half,
  },
  {
    name: 'command-tenant',
    by: perTenant,
    when: { route: ['command'] },
    limit: perSecond(1_000, 20_000),
    onStoreError: half,
  },
  {
    name: 'decision-tenant',
    by: perTenant,
    when: { route: ['decision'] },
    limit: perSecond(5_000, 50_000),
    onStoreError: 'allow',
  },
  {
    name: 'danger-user',
    by: perUser,
    when: { route: ['danger'] },
    limit: perSecond(20, 1_000),
    onStoreError: 'deny',
  },
  {
    name: 'danger-tenant',
    by: perTenant,
    when: { route: ['danger'] },
    limit: perSecond(50, 2_000),
    onStoreError: 'deny',
  },
  {
    name: 'checked-user',
    by: perUser,
    when: { route: ['checked'] },
    limit: perSecond(1_000, 10_000),
    onStoreError: 'allow',
  },
];

export const defaultPolicy: Policy = { version: 'gateway-1', routeGroups, defaults: [...addressRules, ...callerRules] };
