/** POST /v1/bootstrap: creates the first admin with the one-time code. */
import { isLeft } from 'fp-ts/Either';
import { CredentialId, firstAdmin } from '../../../domain/identity/ids';
import { record, text } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { Rejection } from '../../../domain/kernel/rejection';
import { problemOf } from '../../../infra/server/http/problem';
import { positionHeader } from '../../../infra/server/http/routing/position-header';
import { type Answer, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import { commandHeaderDocs, commandHeaders } from '../../kernel/command-headers';
import { noStoreHeaders } from '../oauth/token/oauth-error';
import { bootstrapProblems, principalProblems } from '../problems';
import { type FirstTenant, tenantOfFirstSignInCode } from '../tenants/first-sign-in-code';
import { type BootstrapAdminDeps, bootstrapAdmin } from './bootstrap-admin';
import { ClientIdText, ClientSecretText } from './credential-routes';

export interface BootstrapDeps extends BootstrapAdminDeps {
  readonly firstSignIn: FirstTenant;
  /** Resolves after that many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

/** Delay after a wrong code. The code has at least 16 characters, so a delay suffices; a lock would let attackers keep the first admin out. */
const pauseMilliseconds = 300;

const BootstrapBody = record('FirstSignIn', {
  code: text('SignInCode', { examples: ['R3XsVlU5JYzRht13mYnN'], maxLength: 200 }),
});
const FirstAdmin = record('FirstAdmin', {
  tenantId: TenantId,
  principalId: PrincipalId,
  credentialId: CredentialId,
  clientId: ClientIdText,
  clientSecret: ClientSecretText,
});

const wrongBootstrapCode: Rejection<'bootstrap-code-wrong'> = {
  kind: 'rejection',
  code: 'bootstrap-code-wrong',
  detail: 'The code is wrong or has expired. It is printed at the first start, or issued for a tenant.',
};

type BootstrapRequest = RouteRequest<unknown, unknown, { readonly code: string }>;

const handleBootstrap = async (
  deps: BootstrapDeps,
  { body, headers, requestId }: BootstrapRequest,
): Promise<Answer> => {
  const meant = await tenantOfFirstSignInCode(deps, body.code);
  if (isLeft(meant)) return problemOf(meant.left, {});
  const tenantId = meant.right;
  if (tenantId === undefined) {
    await deps.pause(pauseMilliseconds);
    return problemOf(wrongBootstrapCode, bootstrapProblems);
  }
  const read = commandHeaders(headers);
  if (isLeft(read)) return read.left;
  const { key = deps.random.uuid() } = read.right;
  const signedIn = await bootstrapAdmin(deps, { tenantId, key, requestId });
  if (isLeft(signedIn)) return problemOf(signedIn.left, principalProblems);
  const { revision, position, credentialId, clientId, clientSecret } = signedIn.right;
  return {
    status: 201,
    body: { tenantId, principalId: firstAdmin, credentialId, clientId, clientSecret },
    headers: { ...noStoreHeaders, ETag: `W/"${revision}"`, ...positionHeader(position), 'Idempotency-Key': key },
  };
};

export const bootstrapRoute = route<BootstrapDeps>()({
  method: 'post',
  path: '/v1/bootstrap',
  operation: 'signInFirstAdmin',
  sensitive: false,
  limitGroup: 'first-admin',
  summary: 'Sign in as the first admin of a tenant, once',
  description:
    'The code determines the tenant. Only this response has the secret, which lasts 90 days. A retry under the same Idempotency-Key returns the same one.',
  access: 'public',
  body: BootstrapBody,
  headers: commandHeaderDocs.filter(({ name }) => name === 'Idempotency-Key'),
  answers: {
    201: {
      description: 'The first admin of the tenant, and its credential.',
      body: FirstAdmin,
      headers: ['ETag', 'Position', 'Idempotency-Key'],
    },
  },
  problems: { ...bootstrapProblems, 'already-bootstrapped': principalProblems['already-bootstrapped'] },
  handle: handleBootstrap,
});
