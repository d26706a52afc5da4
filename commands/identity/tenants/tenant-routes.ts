/** POST /v1/tenants: operators of the platform register a tenant, and get the code of its first administrator. */
import { isLeft, left, right } from 'fp-ts/Either';
import { tenant } from '../../../domain/identity/tenant/decider';
import { TenantName, tenantStream } from '../../../domain/identity/tenant/events';
import { record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import type { Kms } from '../../../infra/ports/kms';
import { problem, problemOf } from '../../../infra/server/http/problem';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps } from '../../kernel/command-spec';
import { tenantProblems } from '../problems';
import { prepareTenant } from './prepare-tenant';

export interface TenantDeps extends CommandDeps {
  readonly kms: Pick<Kms, 'derive'>;
  /** Tenant of the platform's operators. */
  readonly operators: string;
}

export const registerTenantRoute = commandRoute<TenantDeps>()({
  method: 'post',
  path: '/v1/tenants',
  operation: 'registerTenant',
  danger: true,
  summary: 'Register a tenant, with a code for its first administrator',
  description:
    'For operators of the platform. The code works once, for seven days, at `/sign-in/first` and `POST /v1/bootstrap`. Only this response has it; a ' +
    'retry under the same Idempotency-Key returns the same one. Until someone has signed in with it, the same request under another key replaces it.',
  scopes: ['platform:write'],
  body: record('NewTenant', { tenantId: TenantId, name: TenantName }),
  created: true,
  answer: record('RegisteredTenant', {
    tenantId: TenantId,
    code: text('FirstSignInCode', { maxLength: 107, examples: ['acme.q3sVw8h0N1yZ5tXc7bLk2mRf9dGj4pAe6uQo0iWvT1s'] }),
  }),
  decider: tenant,
  problems: tenantProblems,
  prepare: async ({ body: { tenantId, name }, identity, at, commandId }, deps) => {
    if (identity.tenantId !== deps.operators)
      return left(problem('forbidden', 'Only operators of the platform register tenants.'));
    const prepared = await prepareTenant(deps, { tenantId, name, commandId, at });
    if (isLeft(prepared)) return left(problemOf(prepared.left, {}));
    const { command, code } = prepared.right;
    return right({
      stream: tenantStream(tenantId),
      tenant: tenantId,
      actor: `${identity.tenantId}.${identity.principalId}`,
      command,
      answer: { tenantId, code },
    });
  },
});
