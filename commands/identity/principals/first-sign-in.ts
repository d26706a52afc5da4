/** What the first sign-in does: one append makes the first admin and its credential, or shows that they are made. */
import { type Either, isLeft } from 'fp-ts/Either';
import { defaultCredentialSeconds } from '../../../domain/identity/credential-policy/decider';
import { type BootstrapAdmin, type PrincipalRejection, principal } from '../../../domain/identity/principal/decider';
import type { PrincipalEvent } from '../../../domain/identity/principal/events';
import type { CredentialId } from '../../../domain/identity/principal-id';
import { adminScopes } from '../../../domain/identity/scopes';
import { bootstrapStream, firstAdmin } from '../../../domain/identity/streams';
import type { TenantId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import type { Kms, KmsFault } from '../../../infra/ports/kms';
import type { CommandDeps } from '../../kernel/command-spec';
import { derivedId } from '../../kernel/derive';
import { handle } from '../../kernel/handle';
import type { Handled, Refusal } from '../../kernel/request';
import { writeClientId } from './client-id';
import { deriveClientSecret, hashOf } from './client-secret';

export interface SignInDeps extends CommandDeps {
  readonly kms: Kms;
}

export interface SignIn {
  readonly tenantId: TenantId;
  readonly key: string;
  readonly requestId: string;
}

export interface SignedIn extends Handled<PrincipalEvent> {
  readonly clientId: string;
  readonly clientSecret: string;
}

const commandOf = (
  tenantId: TenantId,
  secret: string,
  commandId: string,
): Omit<BootstrapAdmin, 'at' | 'expiresAt'> => ({
  type: 'BootstrapAdmin',
  tenantId,
  principalId: firstAdmin,
  credentialId: derivedId('named', commandId, 'credential') as CredentialId,
  secretHash: hashOf(secret),
  scopes: adminScopes,
});

export const signInFirst = async (
  deps: SignInDeps,
  { tenantId, key, requestId }: SignIn,
): Promise<Either<Refusal<PrincipalRejection> | KmsFault, SignedIn>> => {
  const id = { tenantId, principalId: firstAdmin };
  const commandId = derivedId('first-sign-in', tenantId, key);
  const secret = await deriveClientSecret(deps.kms, id, commandId);
  if (isLeft(secret)) return secret;
  const at = deps.clock.now();
  const asked = commandOf(tenantId, secret.right, commandId);
  const handled = await handle(deps, principal, {
    stream: bootstrapStream(tenantId),
    command: { ...asked, at, expiresAt: plusSeconds(at, defaultCredentialSeconds) },
    commandId,
    tenant: tenantId,
    actor: 'system:first-sign-in',
    correlationId: requestId,
    fingerprint: asked,
    fresh: true,
  });
  if (isLeft(handled)) return handled;
  return { ...handled, right: { ...handled.right, clientId: writeClientId(id), clientSecret: secret.right } };
};
