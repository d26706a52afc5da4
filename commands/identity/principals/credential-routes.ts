/** Routes that issue and revoke credentials of principals. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { authenticator } from '../../../domain/identity/authenticators/decider';
import { authenticatorsStream, CredentialLabel } from '../../../domain/identity/authenticators/events';
import { credentialPolicy, defaultCredentialSeconds } from '../../../domain/identity/credential-policy/decider';
import { credentialPolicyStream } from '../../../domain/identity/credential-policy/events';
import { CredentialId } from '../../../domain/identity/ids';
import { principal, type RevokeCredential } from '../../../domain/identity/principal/decider';
import { principalStream } from '../../../domain/identity/principal/events';
import { Scopes } from '../../../domain/identity/scopes';
import { integer, record, text } from '../../../domain/kernel/codec';
import { PrincipalId, type TenantId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import type { Kms } from '../../../infra/ports/kms';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import { positionHeader } from '../../../infra/server/http/routing/position-header';
import { type JsonAnswer, route } from '../../../infra/server/http/routing/route';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps } from '../../kernel/command-spec';
import { derivedId } from '../../kernel/deterministic-ids';
import { freshProblems, unlessFresh } from '../../kernel/fresh-sign-in';
import { handle } from '../../kernel/handle';
import { type Actor, callerOf } from '../../kernel/handle-request';
import { loadStream, type StreamSource } from '../../kernel/load-stream';
import { formatPrincipalClientId } from '../clients/client-id';
import { clientSecretHash, derivePrincipalSecret } from '../clients/client-secret';
import { peopleProblems, principalProblems } from '../problems';
import { PrincipalPath, WithReason } from './principal-routes';

export interface CredentialDeps extends CommandDeps, StreamSource {
  readonly kms: Kms;
}

const tenYears = 10 * 366 * 24 * 3600;

const NewCredential = record(
  'NewCredential',
  { scopes: Scopes },
  { label: CredentialLabel, expiresInSeconds: integer(60, tenYears) },
);
export const ClientIdText = text('OwnClientId', {
  maxLength: 192,
  examples: ['acme.7d9f1c9e-2f0a-5b4e-8a51-0f1e2d3c4b5a'],
});
export const ClientSecretText = text('ClientSecret', {
  examples: ['q3sVw8h0N1yZ5tXc7bLk2mRf9dGj4pAe6uQo0iWvT1s'],
  maxLength: 43,
});
const CredentialAnswer = record('CredentialAnswer', {
  credentialId: CredentialId,
  clientId: ClientIdText,
  clientSecret: ClientSecretText,
});
const CredentialPath = record('CredentialPath', { principalId: PrincipalId, credentialId: CredentialId });

const withoutLabel = commandRoute<CredentialDeps>()({
  method: 'post',
  path: '/v1/principals/:principalId/credentials',
  operation: 'issueCredential',
  example: { label: 'Laptop of the build team', scopes: ['principals:read'], expiresInSeconds: 7_776_000 },
  danger: true,
  summary: 'Issue a credential to a principal',
  description:
    'It lasts 90 days where `expiresInSeconds` is left out, and no longer than the tenant allows. Only this response has the secret. A retry under the same Idempotency-Key returns the same one. ' +
    'The label says what it is for; it is encrypted, because it may name a person. ' +
    'The caller can grant only its own scopes, and needs all of the authority of the principal. ' +
    'A credential of a person is made by that person only, within five minutes of signing in.',
  scopes: ['credentials:write'],
  params: PrincipalPath,
  body: NewCredential,
  created: true,
  answer: CredentialAnswer,
  decider: principal,
  problems: { ...principalProblems, ...freshProblems },
  prepare: async ({ params: { principalId }, body, ...request }, deps) => {
    const { tenantId, at, identity } = request;
    const isOwn = identity.principalId === principalId && identity.principalType === 'HUMAN';
    const stale = isOwn ? unlessFresh(identity, at) : undefined;
    if (stale !== undefined) return left(stale);
    const clientSecret = await derivePrincipalSecret(deps.kms, { tenantId, principalId }, request.commandId);
    if (isLeft(clientSecret)) return left(problemOf(clientSecret.left, {}));
    const loaded = await loadStream(deps, credentialPolicy, credentialPolicyStream(tenantId));
    if (isLeft(loaded)) return left(problemOf(loaded.left, {}));
    const policy = loaded.right;
    const credentialId = request.derivedId('credential') as CredentialId;
    const seconds = body.expiresInSeconds ?? Math.min(defaultCredentialSeconds, policy.maximumSeconds);
    const expiresAt = plusSeconds(at, seconds);
    const granted = { scopes: body.scopes, by: identity.principalId, held: identity.scopes, at, expiresAt, policy };
    const secretHash = clientSecretHash(clientSecret.right);
    return right({
      stream: principalStream(tenantId, principalId),
      command: { type: 'IssueCredential', principalId, credentialId, secretHash, ...granted },
      answer: {
        credentialId,
        clientId: formatPrincipalClientId({ tenantId, principalId }),
        clientSecret: clientSecret.right,
      },
    });
  },
});

interface LabelRequest {
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
  readonly credentialId: CredentialId;
  readonly label: string;
}

/** Labels a credential that was just issued; the same for a retry. Returns the log position. */
const labelIssued = async (
  deps: CommandDeps,
  { tenantId, ...labelled }: LabelRequest,
  { actor, correlationId }: { readonly actor: Actor; readonly correlationId: string },
): Promise<Either<Problem, bigint>> => {
  const done = await handle(deps, authenticator, {
    stream: authenticatorsStream(tenantId, labelled.principalId),
    command: { type: 'LabelCredential', ...labelled },
    commandId: derivedId('label-credential', tenantId, labelled.credentialId),
    fingerprint: ['label', labelled.label],
    tenant: tenantId,
    actor,
    correlationId,
  });
  return isLeft(done) ? left(problemOf(done.left, peopleProblems)) : right(done.right.position);
};

/** The label is in the stream of names: tokens are issued without the key that it needs. */
export const issueCredentialRoute = route<CredentialDeps>()({
  ...withoutLabel,
  handle: async (deps, request) => {
    const { label } = request.body;
    const answer = (await withoutLabel.handle(deps, request)) as JsonAnswer;
    if (label === undefined || answer.status !== 201) return answer;
    const { tenantId } = request.identity;
    const { credentialId } = answer.body as { readonly credentialId: CredentialId };
    const labelled = await labelIssued(
      deps,
      { tenantId: tenantId as TenantId, principalId: request.params.principalId, credentialId, label },
      { actor: callerOf(request.identity), correlationId: request.requestId },
    );
    if (isLeft(labelled)) return labelled.left;
    return { ...answer, headers: { ...answer.headers, ...positionHeader(labelled.right) } };
  },
});

export const revokeCredentialRoute = commandRoute<CommandDeps>()({
  method: 'post',
  path: '/v1/principals/:principalId/credentials/:credentialId/revoke',
  operation: 'revokeCredential',
  sensitive: true,
  summary: 'Revoke a credential',
  description: 'No more tokens are issued for it; issued ones stay valid until they expire in a few minutes.',
  scopes: ['credentials:write'],
  params: CredentialPath,
  body: WithReason,
  answer: record('RevokedCredential', { credentialId: CredentialId }),
  decider: principal,
  problems: principalProblems,
  prepare: ({ params: { principalId, credentialId }, body, tenantId }) => {
    const command: RevokeCredential = { type: 'RevokeCredential', principalId, credentialId, reason: body.reason };
    return right({ stream: principalStream(tenantId, principalId), command, answer: { credentialId } });
  },
});
