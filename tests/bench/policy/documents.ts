/** Policies of a size, and requests of their principals, for the evaluator and for Cedar alike. */
import type { PolicyDocument } from '../../../domain/identity/policy/document';
import type { PolicyRequest } from '../../../domain/identity/policy/request';

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
const teams = 50;

/** Of the rules, as companies write them: most allow a principal something below a path, some deny by network or method. */
export const documentOf = (size: number): PolicyDocument =>
  ({
    covers: [{}],
    rules: Array.from({ length: size }, (_, at) => {
      const path = `/v1/projects/project-${at % 1_000}/**`;
      if (at % 10 === 0)
        return {
          ruleId: `deny-${at}`,
          effect: 'DENY',
          principal: { types: ['AI_AGENT'] },
          action: { methods: ['DELETE'] },
          resource: { paths: [path] },
        };
      return {
        ruleId: `allow-${at}`,
        effect: 'ALLOW',
        principal: { ids: [`p-${at % 5_000}`] },
        action: { methods: [methods[at % 4]] },
        resource: { paths: [path] },
        ...(at % 5 === 0 ? { conditions: { bindings: ['dpop', 'mtls'] } } : {}),
      };
    }),
  }) as unknown as PolicyDocument;

export const requestsFor = (size: number, count: number): readonly PolicyRequest[] =>
  Array.from({ length: count }, (_, index) => {
    const at = (index * 7_919) % size;
    return {
      tenantId: 'acme',
      principalId: `p-${index % 3 === 0 ? index % 5_000 : at % 5_000}`,
      principalType: index % 4 === 0 ? 'AI_AGENT' : 'HUMAN',
      method: methods[at % 4] ?? 'GET',
      segments: ['v1', 'projects', `project-${at % 1_000}`, `team-${index % teams}`],
      scopes: [],
      audience: 'septet',
      at: 0,
      binding: index % 2 === 0 ? 'dpop' : 'none',
      authContext: ['role:admin'],
      authenticationMethods: [],
      multiFactor: false,
    };
  });
