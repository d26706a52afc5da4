/** Adapts a policy to this service: all tenants of an installation share one policy. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Dimension } from '../../../packages/ratelimit/src/index';
import {
  type IndexedPolicy,
  indexPolicy,
  mapRules,
  type PolicySource,
  runInSlices,
} from '../../../packages/ratelimit/src/server';
import { parseJson } from '../../server/http/untrusted-json';
import type { PolicyFaults, ReadPolicy } from './policy-file-watcher';
import { splitPolicy } from './split-policy';

/** Counts every rule per tenant, so that no tenant uses up another's limits or learns of them. */
export const perTenant = (policy: PolicySource): PolicySource =>
  mapRules(policy, (rule) => (rule.by.includes('tenant') ? rule : { ...rule, by: ['tenant', ...rule.by] }));

const anyValue = (name: Dimension): readonly string[] => (name === 'ip' ? ['0.0.0.0/0', '::/0'] : ['*']);

/**
 * A rule applies only if all dimensions that it counts by are present: an Envoy's descriptors each name a few. With
 * route groups, every request has a route.
 */
export const whenDimensionsPresent = (policy: PolicySource): PolicySource => {
  const alwaysPresent = new Set<Dimension>((policy.routeGroups ?? []).length === 0 ? ['tenant'] : ['tenant', 'route']);
  return mapRules(policy, (rule) => {
    const required = rule.by.filter((name) => !alwaysPresent.has(name) && rule.when?.[name] === undefined);
    if (required.length === 0) return rule;
    return { ...rule, when: { ...rule.when, ...Object.fromEntries(required.map((name) => [name, anyValue(name)])) } };
  });
};

const indexPolicyText = function* (bytes: Uint8Array): Generator<undefined, Either<PolicyFaults, IndexedPolicy>> {
  const { frame, lists } = yield* splitPolicy(bytes);
  const written = parseJson(frame);
  if (isLeft(written)) return left([written.left.replace('The body', 'The policy')]);
  const result = yield* indexPolicy(written.right, lists);
  if (result.ok) return right(result.indexed);
  return left(result.errors.map(({ pointer, message }) => `${pointer || '/'} ${message}`));
};

/** Problems of the policy, or the policy. Undefined: aborted. */
export const readPolicy: ReadPolicy = (bytes, signal) => runInSlices(indexPolicyText(bytes), signal);
