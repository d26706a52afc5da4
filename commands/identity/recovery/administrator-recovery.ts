/** POST /v1/principals/:principalId/recover: an administrator vouches for a pipeline or agent that no platform attests, and gets its new secret. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { credentialPolicy, defaultCredentialSeconds } from '../../../domain/identity/credential-policy/decider';
import { credentialPolicyStream } from '../../../domain/identity/credential-policy/events';
import { CredentialId, IncidentId } from '../../../domain/identity/ids';
import { securityRecovery } from '../../../domain/identity/incident/events';
import { authorityOf } from '../../../domain/identity/principal/authority-check';
import { principal } from '../../../domain/identity/principal/decider';
import { principalStream } from '../../../domain/identity/principal/events';
import type { RegisteredPrincipal } from '../../../domain/identity/principal/state';
import { missingScopes, Scopes } from '../../../domain/identity/scopes';
import { integer, oneOf, record } from '../../../domain/kernel/codec';
import { plusSeconds } from '../../../domain/kernel/instant';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import { commandRoute } from '../../kernel/command-route';
import type { CommandRequest } from '../../kernel/command-spec';
import { freshProblems, unlessFresh } from '../../kernel/fresh-sign-in';
import { loadStream } from '../../kernel/load-stream';
import { formatPrincipalClientId } from '../clients/client-id';
import { clientSecretHash, derivePrincipalSecret } from '../clients/client-secret';
import { ClientIdText, ClientSecretText, type CredentialDeps } from '../principals/credential-routes';
import { loadPrincipal } from '../principals/load-principal';
import { PrincipalPath } from '../principals/principal-routes';
import { administratorRecoveryProblems, principalProblems } from '../problems';
import { recoverPrincipal } from './recover-principal';

const tenYears = 10 * 366 * 24 * 3600;

const Body = record(
  'AdministratorRecovery',
  { incidentId: IncidentId, scopes: Scopes },
  { expiresInSeconds: integer(60, tenYears) },
);

const RecoveredCredential = record('RecoveredCredential', {
  incidentId: IncidentId,
  reason: oneOf('ReplacementReason', [securityRecovery]),
  credentialId: CredentialId,
  clientId: ClientIdText,
  clientSecret: ClientSecretText,
});

type Request = CommandRequest<typeof PrincipalPath._A, typeof Body._A>;

const refuse = (
  code: 'own-authority' | 'principal-unknown' | 'recovers-by-sign-in' | 'scope-not-held',
  detail: string,
) => problemOf({ kind: 'rejection', code, detail }, administratorRecoveryProblems);

/** Left: the caller cannot vouch for it. */
const loadVouched = async (
  deps: CredentialDeps,
  { params: { principalId }, identity, tenantId, at }: Request,
): Promise<Either<Problem, RegisteredPrincipal>> => {
  const stale = unlessFresh(identity, at);
  if (stale !== undefined) return left(stale);
  const loaded = await loadPrincipal(deps, { tenantId, principalId });
  if (isLeft(loaded)) return left(problemOf(loaded.left, {}));
  const state = loaded.right;
  if (state.kind === 'none') return left(refuse('principal-unknown', 'There is no such principal.'));
  if (state.principalType === 'HUMAN')
    return left(refuse('recovers-by-sign-in', 'A person recovers by signing in with a passkey or a second factor.'));
  if (identity.principalId === principalId)
    return left(refuse('own-authority', 'Another principal must vouch for your own.'));
  return missingScopes(authorityOf(state), identity.scopes).length === 0
    ? right(state)
    : left(refuse('scope-not-held', 'The caller needs all of the authority of the principal.'));
};

export const administratorRecoveryRoute = commandRoute<CredentialDeps>()({
  method: 'post',
  path: '/v1/principals/:principalId/recover',
  operation: 'recoverPrincipal',
  danger: true,
  summary: 'Recover a pipeline or agent from an incident, and issue its new secret',
  description:
    'For one that no platform attests; another one recovers by `POST /v1/security/recover`. Only this response has the secret. The caller needs all of the authority of the ' +
    'principal, and signed in within the last five minutes.',
  scopes: ['principals:write', 'credentials:write'],
  params: PrincipalPath,
  body: Body,
  example: { incidentId: '7d9f1c9e-2f0a-5b4e-8a51-0f1e2d3c4b5a', scopes: ['files:read'] },
  created: true,
  answer: RecoveredCredential,
  decider: principal,
  problems: { ...administratorRecoveryProblems, ...principalProblems, ...freshProblems },
  prepare: async (request, deps) => {
    const { params, body, tenantId, identity, at, commandId } = request;
    const { principalId } = params;
    const { incidentId, scopes } = body;
    const state = await loadVouched(deps, request);
    if (isLeft(state)) return state;
    const loaded = await loadStream(deps, credentialPolicy, credentialPolicyStream(tenantId));
    if (isLeft(loaded)) return left(problemOf(loaded.left, {}));
    const clientSecret = await derivePrincipalSecret(deps.kms, { tenantId, principalId }, commandId);
    if (isLeft(clientSecret)) return left(problemOf(clientSecret.left, {}));
    const credentialId = request.derivedId('credential') as CredentialId;
    const by = identity.principalId;
    // A repetition has issued it already.
    if (!state.right.credentials.has(credentialId)) {
      const recovered = await recoverPrincipal(deps, {
        ...{ tenantId, incidentId, principalId, method: 'administrator', authenticatedAt: at },
        ...{ actor: by, requestId: commandId },
      });
      if (isLeft(recovered)) return left(problemOf<string>(recovered.left, administratorRecoveryProblems));
    }
    const policy = loaded.right;
    const seconds = body.expiresInSeconds ?? Math.min(defaultCredentialSeconds, policy.maximumSeconds);
    const made = { scopes, by, held: identity.scopes, at, policy, expiresAt: plusSeconds(at, seconds) };
    const secretHash = clientSecretHash(clientSecret.right);
    return right({
      stream: principalStream(tenantId, principalId),
      command: { type: 'IssueCredential', principalId, credentialId, secretHash, ...made },
      answer: {
        ...{ incidentId, reason: securityRecovery, credentialId },
        clientId: formatPrincipalClientId({ tenantId, principalId }),
        clientSecret: clientSecret.right,
      },
    });
  },
});
