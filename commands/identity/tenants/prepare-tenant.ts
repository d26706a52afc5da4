/** The command that registers a tenant, with its code: for the route and for the tool at the machine. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { authenticatorsStream } from '../../../domain/identity/authenticators/events';
import { firstAdmin } from '../../../domain/identity/ids';
import { bootstrapStream } from '../../../domain/identity/principal/events';
import type { RegisterTenant } from '../../../domain/identity/tenant/decider';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import type { EventStore, EventStoreFault } from '../../../infra/ports/event-store';
import type { Kms, KmsFault } from '../../../infra/ports/kms';
import { deriveFirstSignInCode, firstSignInCodeHash } from './first-sign-in-code';

const codeSeconds = 7 * 86_400;

interface NewTenant {
  readonly tenantId: TenantId;
  readonly name: string;
  readonly commandId: string;
  readonly at: Instant;
}

interface PreparedTenant {
  readonly command: RegisterTenant;
  readonly code: string;
}

/** Ways to sign in, by the names of their events: the tool at the machine cannot open what they hold. */
const waysToSignIn = /\.(CredentialIssued|PasswordSet|PasskeyAdded|UpstreamLinked)\./;

/** A first administrator who opened the page and set nothing up has not. */
const hasSignedIn = async (store: EventStore, tenantId: TenantId): Promise<Either<EventStoreFault, boolean>> => {
  const [principal, authenticators] = await Promise.all([
    store.read(bootstrapStream(tenantId)),
    store.read(authenticatorsStream(tenantId, firstAdmin)),
  ]);
  if (isLeft(principal)) return principal;
  if (isLeft(authenticators)) return authenticators;
  return right([...principal.right, ...authenticators.right].some(({ type }) => waysToSignIn.test(type)));
};

export const prepareTenant = async (
  { store, kms }: { readonly store: EventStore; readonly kms: Pick<Kms, 'derive'> },
  { tenantId, name, commandId, at }: NewTenant,
): Promise<Either<EventStoreFault | KmsFault, PreparedTenant>> => {
  const code = await deriveFirstSignInCode(kms, tenantId, commandId);
  if (isLeft(code)) return code;
  const administrator = await hasSignedIn(store, tenantId);
  if (isLeft(administrator)) return administrator;
  const expiresAt = plusSeconds(at, codeSeconds);
  const issued = { codeHash: firstSignInCodeHash(code.right), at, expiresAt };
  const hasAdministrator = administrator.right;
  return right({ command: { type: 'RegisterTenant', tenantId, name, hasAdministrator, ...issued }, code: code.right });
};
