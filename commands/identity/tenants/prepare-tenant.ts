/** The command that registers a tenant, with its code: for the route and for the tool at the machine. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { bootstrapStream } from '../../../domain/identity/streams';
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

export const prepareTenant = async (
  { store, kms }: { readonly store: EventStore; readonly kms: Pick<Kms, 'derive'> },
  { tenantId, name, commandId, at }: NewTenant,
): Promise<Either<EventStoreFault | KmsFault, PreparedTenant>> => {
  const code = await deriveFirstSignInCode(kms, tenantId, commandId);
  if (isLeft(code)) return code;
  const administrator = await store.read(bootstrapStream(tenantId));
  if (isLeft(administrator)) return administrator;
  const expiresAt = plusSeconds(at, codeSeconds);
  const issued = { codeHash: firstSignInCodeHash(code.right), at, expiresAt };
  const hasAdministrator = administrator.right.length > 0;
  return right({ command: { type: 'RegisterTenant', tenantId, name, hasAdministrator, ...issued }, code: code.right });
};
