/** Routes that issue and revoke secrets of applications. Several may be valid at once, for rotation. */
import { isLeft, left, right } from 'fp-ts/Either';
import { client, type IssueClientSecret, type RevokeClientSecret } from '../../../domain/identity/client/decider';
import { clientStream } from '../../../domain/identity/client/events';
import { ApplicationId, ClientId, CredentialId } from '../../../domain/identity/ids';
import { integer, record } from '../../../domain/kernel/codec';
import { plusSeconds } from '../../../domain/kernel/instant';
import type { Kms } from '../../../infra/ports/kms';
import { problemOf } from '../../../infra/server/http/problem';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps } from '../../kernel/command-spec';
import { ClientSecretText } from '../principals/credential-routes';
import { WithReason } from '../principals/principal-routes';
import { clientProblems } from '../problems';
import { formatApplicationClientId } from './client-id';
import { ClientPath, checkRegistered } from './client-routes';
import { clientSecretHash, deriveApplicationSecret } from './client-secret';
import { serviceClientProblems } from './service-principal';

export interface ClientSecretDeps extends CommandDeps {
  readonly kms: Pick<Kms, 'derive'>;
}

const twoYears = 2 * 366 * 24 * 3600;

export const issueClientSecretRoute = commandRoute<ClientSecretDeps>()({
  method: 'post',
  path: '/v1/clients/:applicationId/secrets',
  operation: 'issueClientSecret',
  danger: true,
  summary: 'Issue a client secret',
  description:
    'Only this response has the secret. A retry under the same Idempotency-Key returns the same one. ' +
    'The caller must hold all that the application can ask for; where it stands for a principal, credentials:write and all of its authority.',
  scopes: ['clients:write'],
  params: ClientPath,
  body: record('NewClientSecret', {}, { expiresInSeconds: integer(60, twoYears) }),
  created: true,
  answer: record('ClientSecretAnswer', {
    credentialId: CredentialId,
    clientId: ClientId,
    clientSecret: ClientSecretText,
  }),
  decider: client,
  problems: { ...clientProblems, ...serviceClientProblems },
  prepare: async ({ params: { applicationId }, body, ...request }, deps) => {
    const { tenantId, at, identity } = request;
    const registered = await checkRegistered(deps, request, applicationId);
    if (isLeft(registered)) return registered;
    const clientSecret = await deriveApplicationSecret(deps.kms, { tenantId, applicationId }, request.commandId);
    if (isLeft(clientSecret)) return left(problemOf(clientSecret.left, {}));
    const credentialId = request.derivedId('credential') as CredentialId;
    const expiresAt = body.expiresInSeconds === undefined ? null : plusSeconds(at, body.expiresInSeconds);
    const secretHash = clientSecretHash(clientSecret.right);
    const what = { applicationId, credentialId, secretHash, expiresAt, grantable: identity.scopes, at };
    const command: IssueClientSecret = { type: 'IssueClientSecret', ...what };
    return right({
      stream: clientStream(tenantId, applicationId),
      command,
      answer: {
        credentialId,
        clientId: formatApplicationClientId({ tenantId, applicationId }),
        clientSecret: clientSecret.right,
      },
    });
  },
});

export const revokeClientSecretRoute = commandRoute<CommandDeps>()({
  method: 'post',
  path: '/v1/clients/:applicationId/secrets/:credentialId/revoke',
  operation: 'revokeClientSecret',
  sensitive: true,
  summary: 'Revoke a client secret',
  description: 'No more tokens are issued for it; issued ones stay valid until they expire in a few minutes.',
  scopes: ['clients:write'],
  params: record('ClientSecretPath', { applicationId: ApplicationId, credentialId: CredentialId }),
  body: WithReason,
  answer: record('RevokedClientSecret', { credentialId: CredentialId }),
  decider: client,
  problems: clientProblems,
  prepare: ({ params: { applicationId, credentialId }, body, tenantId }) => {
    const command: RevokeClientSecret = {
      type: 'RevokeClientSecret',
      applicationId,
      credentialId,
      reason: body.reason,
    };
    return right({ stream: clientStream(tenantId, applicationId), command, answer: { credentialId } });
  },
});
