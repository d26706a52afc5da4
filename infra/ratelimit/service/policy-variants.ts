/** Policies as this service holds them: of one installation, for all of its tenants. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Dimension } from '../../../packages/ratelimit/src/index';
import {
  type IndexedPolicy,
  indexPolicy,
  mapRules,
  type PolicySource,
  runInSlices,
} from '../../../packages/ratelimit/src/server';
import { parseJson } from '../../http/json';
import type { PolicyFaults, ReadPolicy } from './policy-file-watcher';
import { splitPolicy } from './split-policy';

/** Each tenant has limits of its own, whatever a rule says: nobody uses up what is another's, or learns of it. */
export const perTenant = (policy: PolicySource): PolicySource =>
  mapRules(policy, (rule) => (rule.by.includes('tenant') ? rule : { ...rule, by: ['tenant', ...rule.by] }));

const anyValue = (name: Dimension): readonly string[] => (name === 'ip' ? ['0.0.0.0/0', '::/0'] : ['*']);

/**
 * Rules hold only where all is said that they count by: an Envoy's descriptors are many, each about something else. Where there are
 * route groups, everything is of one.
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

/** What is wrong with it, or the policy; usable at every door. Undefined: aborted. */
export const readPolicy: ReadPolicy = (bytes, signal) => runInSlices(indexPolicyText(bytes), signal);
