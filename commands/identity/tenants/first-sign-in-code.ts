/** Code of a tenant's first administrator: `<tenantId>.<secret>`. Only its hash is recorded. */
import { hash, timingSafeEqual } from 'node:crypto';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { liveCodeHash, tenant } from '../../../domain/identity/tenant/decider';
import { tenantStream } from '../../../domain/identity/tenant/events';
import type { Instant } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import type { Kms, KmsFault } from '../../../infra/ports/kms';
import { loadStream, type StreamSource } from '../../kernel/load-stream';

export const firstSignInCodeHash = (code: string): string => hash('sha256', code, 'hex');

/** Derived, so that a retry returns the same code. */
export const deriveFirstSignInCode = async (
  kms: Pick<Kms, 'derive'>,
  tenantId: TenantId,
  commandId: string,
): Promise<Either<KmsFault, string>> => {
  const secret = await kms.derive(JSON.stringify(['first-sign-in-code', tenantId, commandId]));
  return isLeft(secret) ? secret : right(`${tenantId}.${secret.right}`);
};

/** The code that was printed at the first start is of the first tenant. */
export interface FirstTenant {
  /** Undefined: that sign-in is off. */
  readonly code: string | undefined;
  readonly tenantId: TenantId;
}

/** Compares hashes: equal length, constant time. */
const isSameText = (one: string, other: string): boolean =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));

export interface FirstSignInSource extends StreamSource {
  readonly firstSignIn: FirstTenant;
  readonly clock: { readonly now: () => Instant };
}

/** The tenant that the code is for; undefined: it is wrong, replaced or expired. Whether it was used is not looked at. */
export const tenantOfFirstSignInCode = async (
  source: FirstSignInSource,
  written: string,
): Promise<Either<EventStoreFault, TenantId | undefined>> => {
  const { code, tenantId: firstTenant } = source.firstSignIn;
  if (code !== undefined && isSameText(written, code)) return right(firstTenant);
  const dot = written.indexOf('.');
  const tenantId = written.slice(0, Math.max(dot, 0));
  if (!TenantId.is(tenantId)) return right(undefined);
  const found = await loadStream(source, tenant, tenantStream(tenantId));
  if (isLeft(found)) return found;
  const expected = liveCodeHash(found.right, source.clock.now());
  return right(expected !== undefined && isSameText(firstSignInCodeHash(written), expected) ? tenantId : undefined);
};
