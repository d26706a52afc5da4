/** Policies as this service holds them: of one installation, for all of its tenants. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Dimension, type Policy, parsePolicy } from '../../../packages/ratelimit/src/index';
import { onlyWatched, withRules } from '../../../packages/ratelimit/src/server';
import { parseJson } from '../../http/json';
import type { PolicyFaults } from './policy-file';

/** Each tenant has limits of its own, whatever a rule says: nobody uses up what is another's, or learns of it. */
export const byTenant = (policy: Policy): Policy =>
  withRules(policy, (rule) => (rule.by.includes('tenant') ? rule : { ...rule, by: ['tenant', ...rule.by] }));

const anyValue = (name: Dimension): readonly string[] => (name === 'ip' ? ['0.0.0.0/0', '::/0'] : ['*']);

/**
 * Rules hold only where all is said that they count by: an Envoy's descriptors are many, each about something else. Where there are
 * route groups, everything is of one.
 */
export const whereSaid = (policy: Policy): Policy => {
  const given = new Set<Dimension>((policy.routeGroups ?? []).length === 0 ? ['tenant'] : ['tenant', 'route']);
  return withRules(policy, (rule) => {
    const asked = rule.by.filter((name) => !given.has(name) && rule.when?.[name] === undefined);
    if (asked.length === 0) return rule;
    return { ...rule, when: { ...rule.when, ...Object.fromEntries(asked.map((name) => [name, anyValue(name)])) } };
  });
};

const parsed = (written: unknown): Either<PolicyFaults, Policy> => {
  const found = parsePolicy(written);
  if (found.ok) return right(found.policy);
  return left(found.errors.map(({ pointer, message }) => `${pointer || '/'} ${message}`));
};

/** Usable at every door, or what is wrong with it. */
export const readPolicy = (text: string): Either<PolicyFaults, Policy> => {
  const written = parseJson(Buffer.from(text));
  if (isLeft(written)) return left([written.left.replace('The body', 'The policy')]);
  const policy = parsed(written.right);
  if (isLeft(policy)) return policy;
  const others = [byTenant(policy.right), onlyWatched(whereSaid(byTenant(policy.right)))].map(parsed);
  return others.find(isLeft) ?? policy;
};
