/**
 * How much of this installation one place, client, person and tenant may ask for. All of it is far above what people and their
 * applications do: it stops what runs away, and what tries things out. Operators may give another (`GATEWAY_RATELIMIT_POLICY`), or
 * leave single rules out (`GATEWAY_RATELIMIT_OFF`).
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

/** Before anybody is known: by place, and by who they say they are only together with it, so that nobody uses up another's. */
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
  // What fails is counted besides, by account and by place, where it is known to have failed.
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
  // Kept by who reads them (Cache-Control): what comes more often keeps nothing.
  { name: 'keys-place', by: ['ip'], when: { route: ['keys'] }, limit: perSecond(500, 5_000), onStoreError: 'allow' },
  { name: 'blob-place', by: ['ip'], when: { route: ['blob'] }, limit: perSecond(500, 10_000), onStoreError: 'allow' },
  // Callers whose credential was found good before: what strangers at their address do uses nothing of theirs up.
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
  // Besides all else: what succeeds costs nothing of it. A caller that is over takes nothing of its place's share, so that one broken
  // caller never closes the place; the place's own limit is for those who present something else each time.
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
