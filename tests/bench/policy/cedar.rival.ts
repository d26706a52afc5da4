/** The same rules in Cedar, parsed once; each request is one call. */
import * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import type { PolicyDocument } from '../../../domain/identity/policy/document';
import type { PolicyRequest } from '../../../domain/identity/policy/request';

const policyOf = (rule: PolicyDocument['rules'][number]): string => {
  const { principal = {}, action, resource, conditions } = rule;
  const [id] = principal.ids ?? [];
  const who = id === undefined ? 'principal' : `principal == User::"${id}"`;
  const [type] = principal.types ?? [];
  const when = [
    ...(type === undefined ? [] : [`context.type == "${type}"`]),
    ...(conditions?.bindings === undefined ? [] : ['context.binding != "none"']),
  ];
  const [path = ''] = resource?.paths ?? [];
  const project = path.split('/')[3] ?? '';
  const head = `(${who}, action == Action::"${action?.methods?.[0]}", resource in Project::"${project}")`;
  return `${rule.effect === 'DENY' ? 'forbid' : 'permit'}${head}${when.length === 0 ? '' : ` when { ${when.join(' && ')} }`};`;
};

/** True: allowed. */
export const openCedar = ({ rules }: PolicyDocument): ((request: PolicyRequest) => boolean) => {
  const staticPolicies = Object.fromEntries(rules.map((rule) => [rule.ruleId, policyOf(rule)]));
  const parsed = cedar.preparsePolicySet('policies', { staticPolicies });
  if (parsed.type !== 'success') throw new Error(JSON.stringify(parsed.errors).slice(0, 1_000));
  return ({ principalId, principalType, method, segments = [], binding }) => {
    const place = { type: 'Place', id: segments.join('/') };
    const answer = cedar.statefulIsAuthorized({
      principal: { type: 'User', id: principalId },
      action: { type: 'Action', id: method },
      resource: place,
      context: { type: principalType, binding },
      preparsedPolicySetId: 'policies',
      validateRequest: false,
      entities: [{ uid: place, attrs: {}, parents: [{ type: 'Project', id: segments[2] ?? '' }] }],
    });
    if (answer.type !== 'success') throw new Error(JSON.stringify(answer));
    return answer.response.decision === 'allow';
  };
};
