/** Writes down that a token was issued, before anybody holds it. */
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type IssuanceEvent, issuance } from '../../domain/identity/issuance/events';
import { issuanceStream } from '../../domain/identity/streams';
import type { Instant } from '../../domain/kernel/codec';
import type { TenantId } from '../../domain/kernel/ids';
import type { EventMetadata } from '../../domain/kernel/metadata';
import type { EventStore } from '../../infra/ports/event-store';

export interface Occasion {
  readonly tenantId: TenantId;
  readonly at: Instant;
  readonly requestId: string;
}

const metadataOf = ({ data }: IssuanceEvent, { tenantId, at, requestId }: Occasion): EventMetadata => ({
  $correlationId: requestId,
  $causationId: requestId,
  commandId: data.jti,
  commandHash: createHash('sha256')
    .update(JSON.stringify([data.principalId, data.audience, data.scopes]))
    .digest('hex'),
  tenant: tenantId,
  actor: data.principalId,
  at,
});

/** Left says why it is not known to be written, so that the token must not be answered. */
export const recordIssuance = async (
  store: EventStore,
  event: IssuanceEvent,
  occasion: Occasion,
): Promise<Either<string, void>> => {
  const stored = { id: event.data.jti, ...issuance.encode(event), metadata: metadataOf(event, occasion) };
  const appended = await store.append(issuanceStream(occasion.tenantId, occasion.at), 'any', [stored]);
  if (!isLeft(appended)) return right(undefined);
  const { left: failure } = appended;
  const isVault = failure.kind === 'fault' && failure.code === 'vault-unavailable';
  return left(isVault ? failure.detail : 'The event store is unavailable.');
};

/** The gateway writes the header anew, so its last entry is the peer that the gateway saw. */
export const sourceIpOf = (forwardedFor: string | undefined): string | null => {
  const address = forwardedFor?.split(',').at(-1)?.trim() ?? '';
  return isIP(address) === 0 ? null : address;
};
