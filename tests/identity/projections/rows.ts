/** Rows that histories make. */
import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import { type IssuanceEvent, issuance } from '../../../domain/identity/issuance/events';
import { type PrincipalEvent, principals } from '../../../domain/identity/principal/events';
import type { Family } from '../../../domain/kernel/family';
import { openMemoryViews } from '../../../infra/adapters/views/memory-views';
import type { StoredEvent } from '../../../infra/ports/event-store';
import type { View, ViewRow } from '../../../infra/ports/views/view-store';
import { principalHistoryProjection } from '../../../projections/identity/principal-history/project';
import { principalsProjection } from '../../../projections/identity/principals/project';
import { securityEventsProjection } from '../../../projections/identity/security-events/project';
import type { Projection } from '../../../projections/kernel/projection';
import { collectAllChanges } from '../../../projections/kernel/projector/view-batch';
import { rowChanges } from '../../support/domain/row-changes';
import { credentialId, noon, principalId } from '../examples';

export const token: IssuanceEvent = {
  type: 'TokenIssued',
  data: {
    jti: 't-1',
    principalId,
    principalType: 'PIPELINE',
    clientId: null,
    credentialId,
    grantId: null,
    sessionId: null,
    jkt: null,
    x5t: null,
    audience: ['septet'],
    scopes: [],
    securityEpoch: 1,
    issuedAt: noon,
    expiresAt: noon,
    delegation: null,
    sourceIp: '192.0.2.7',
  },
};

const stored = (event: PrincipalEvent | IssuanceEvent, place: { index: number; tenant: string }): StoredEvent => {
  const { index, tenant } = place;
  const isToken = event.type === 'TokenIssued';
  const family = (isToken ? issuance : principals) as unknown as Family<PrincipalEvent | IssuanceEvent>;
  return {
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    stream: isToken
      ? `identity.issuance-${tenant}.2026013112`
      : `identity.principal-${tenant}.${event.data.principalId}`,
    revision: index,
    position: BigInt(index + 1) * 100n,
    ...family.encode(event),
    metadata: {
      $correlationId: 'c',
      $causationId: 'c',
      commandId: `k-${index}`,
      commandHash: 'h',
      tenant,
      actor: 'p-admin',
      at: noon,
    },
  };
};

export const historyOf = (
  events: readonly (PrincipalEvent | IssuanceEvent)[],
  tenant = 'acme',
): readonly StoredEvent[] => events.map((event, index) => stored(event, { index, tenant }));

export const projections = [principalsProjection, principalHistoryProjection, securityEventsProjection];

type Rows = readonly unknown[];

/** The rows after the events of these batches; each batch is applied twice, as a redelivery would. */
export const rowsAfter = async (
  projection: Projection,
  cuts: readonly (readonly StoredEvent[])[],
  tenant = 'acme',
): Promise<Rows> => {
  const { writer, reader } = openMemoryViews();
  const { view } = projection;
  const opened = await writer.open(view);
  assert.ok(isRight(opened));
  let after: bigint | null = null;
  for (const cut of cuts) {
    const { changes: collected, position, poison } = collectAllChanges(projection, cut);
    assert.equal(poison, undefined);
    if (position === null) continue;
    const changes = rowChanges(collected);
    const batch = { generation: opened.right.number, after, position, live: true, changes };
    assert.ok(isRight(await writer.apply(view, batch)));
    const again = await writer.apply(view, batch);
    assert.ok(isLeft(again) && again.left.code === 'checkpoint-moved');
    after = position;
  }
  const order = view.key.map((field) => ({ field, direction: 'asc' as const }));
  const page = await reader.page(view as View<ViewRow>, tenant, { where: {}, order, limit: 10_000 });
  return isRight(page) ? page.right : assert.fail(page.left.detail);
};
