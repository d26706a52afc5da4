/** Creates the first admin and its credential in one append; a repetition returns the same. */
import { type Either, isLeft } from 'fp-ts/Either';
import { defaultCredentialSeconds } from '../../../domain/identity/credential-policy/decider';
import { type CredentialId, firstAdmin } from '../../../domain/identity/ids';
import { type BootstrapAdmin, type PrincipalRejection, principal } from '../../../domain/identity/principal/decider';
import { bootstrapStream, type PrincipalEvent } from '../../../domain/identity/principal/events';
import { adminScopes } from '../../../domain/identity/scopes';
import type { TenantId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import type { Kms, KmsFault } from '../../../infra/ports/kms';
import type { CommandDeps } from '../../kernel/command-spec';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import type { HandledCommand, Refusal } from '../../kernel/handle-request';
import { formatPrincipalClientId } from '../clients/client-id';
import { clientSecretHash, derivePrincipalSecret } from '../clients/client-secret';

export interface BootstrapAdminDeps extends CommandDeps {
  readonly kms: Kms;
}

export interface BootstrapAdminRequest {
  readonly tenantId: TenantId;
  readonly key: string;
  readonly requestId: string;
}

export interface BootstrappedAdmin extends HandledCommand<PrincipalEvent> {
  readonly credentialId: CredentialId;
  readonly clientId: string;
  readonly clientSecret: string;
}

const bootstrapCommand = (
  tenantId: TenantId,
  secret: string,
  commandId: string,
): Omit<BootstrapAdmin, 'at' | 'expiresAt'> => ({
  type: 'BootstrapAdmin',
  tenantId,
  principalId: firstAdmin,
  credentialId: derivedId('named', commandId, 'credential') as CredentialId,
  secretHash: clientSecretHash(secret),
  scopes: adminScopes,
});

export const bootstrapAdmin = async (
  deps: BootstrapAdminDeps,
  { tenantId, key, requestId }: BootstrapAdminRequest,
): Promise<Either<Refusal<PrincipalRejection> | KmsFault, BootstrappedAdmin>> => {
  const id = { tenantId, principalId: firstAdmin };
  const commandId = derivedId('first-sign-in', tenantId, key);
  const secret = await derivePrincipalSecret(deps.kms, id, commandId);
  if (isLeft(secret)) return secret;
  const at = deps.clock.now();
  const command = bootstrapCommand(tenantId, secret.right, commandId);
  const handled = await handle(deps, principal, {
    stream: bootstrapStream(tenantId),
    command: { ...command, at, expiresAt: plusSeconds(at, defaultCredentialSeconds) },
    commandId,
    tenant: tenantId,
    actor: 'system:first-sign-in',
    correlationId: requestId,
    fingerprint: command,
    fresh: true,
  });
  if (isLeft(handled)) return handled;
  const credential = {
    credentialId: command.credentialId,
    clientId: formatPrincipalClientId(id),
    clientSecret: secret.right,
  };
  return { ...handled, right: { ...handled.right, ...credential } };
};
