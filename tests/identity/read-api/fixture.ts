/** The query side of identity over HTTP, on twins: rows and events set by hand. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isRight } from 'fp-ts/Either';
import { type PrincipalEvent, principalStream, principals } from '../../../domain/identity/principal/events';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import type { ViewReader } from '../../../infra/ports/views/view-store';
import type { Identity } from '../../../infra/server/http/routing/route';
import type { PrincipalHistoryRow } from '../../../projections/identity/principal-history/view';
import type { PrincipalRow } from '../../../projections/identity/principals/view';
import type { SecurityEventRow } from '../../../projections/identity/security-events/view';
import { identityRoutes } from '../../../read-api/identity/context';
import { securityEventsStream } from '../../../read-api/identity/security-events';
import { cursorsSignedWith } from '../../../read-api/kernel/pagination';
import { createViewPositions } from '../../../read-api/kernel/read-your-writes';
import { createConnectionQuota } from '../../../read-api/kernel/streams/connection-quota';
import { streamIds } from '../../../read-api/kernel/streams/event-ids';
import { createStreamMetrics } from '../../../read-api/kernel/streams/stream-metrics';
import { openStreamService } from '../../../read-api/kernel/streams/stream-service';
import { createSettableViews, type SettableViews } from '../../kernel/read-api/view-readers';
import { createTestRevocationWatch } from '../../support/gateway/revocations';
import { capturedLog, startHttpService } from '../../support/http/http-service';
import { noopMetrics } from '../../support/waiting/recording-log';
import { noon, principalId, tenantId } from '../examples';

const other = 'other' as TenantId;
export const reader = (tenant: string = tenantId): Identity => ({
  tenantId: tenant,
  principalId: 'p-9',
  principalType: 'HUMAN',
  scopes: ['principals:read', 'security:read'],
  tokenId: 'jti-9',
});
export const stranger = reader(other);

export const principalRow = (changes: Partial<PrincipalRow> = {}): PrincipalRow => ({
  tenantId,
  principalId,
  principalType: 'PIPELINE',
  status: 'ACTIVE',
  securityEpoch: 1,
  createdAt: noon,
  isAdmin: false,
  isAuditor: false,
  login: null,
  name: null,
  terms: [],
  revision: 0,
  ...changes,
});

export const historyRow = (changes: Partial<PrincipalHistoryRow> = {}): PrincipalHistoryRow => ({
  tenantId,
  principalId,
  revision: 0,
  eventId: 'e-0',
  type: 'PrincipalRegistered',
  at: noon,
  actor: 'p-9',
  reason: null,
  details: { principalType: 'PIPELINE' },
  ...changes,
});

export const securityRow = (changes: Partial<SecurityEventRow> = {}): SecurityEventRow => ({
  tenantId,
  eventId: 'e-0',
  position: '128',
  timestamp: noon,
  type: 'PrincipalRegistered',
  principalId,
  principalType: 'PIPELINE',
  clientId: null,
  actor: 'p-9',
  severity: null,
  jti: null,
  result: null,
  summary: 'Principal registered as PIPELINE.',
  details: {},
  revision: 0,
  ...changes,
});

export const metadata = (tenant: string) => ({
  $correlationId: 'r-1',
  $causationId: 'r-1',
  commandId: 'c-1',
  commandHash: 'ab',
  tenant,
  actor: 'p-9',
  at: noon,
});

export interface SettingOptions {
  readonly views?: SettableViews;
  readonly reading?: (views: SettableViews) => ViewReader;
  readonly places?: number;
}

export const startReadApi = async ({
  views = createSettableViews(),
  reading = (all) => all,
  places = 9,
}: SettingOptions = {}) => {
  const store = openMemoryEventStore();
  const closing = new AbortController();
  const all = reading(views);
  const cursors = cursorsSignedWith('c'.repeat(43));
  const rights = createTestRevocationWatch();
  const streaming = openStreamService({
    store,
    log: capturedLog(),
    signal: closing.signal,
    cursors,
    rights,
    clock: { now: () => noon },
    quota: createConnectionQuota({ inAll: places, ofOneTenant: places, ofOnePrincipal: places }),
    streamMetrics: createStreamMetrics(noopMetrics),
  });
  const routes = identityRoutes(
    { views: all, positions: createViewPositions(all, 1), cursors, operators: tenantId },
    streaming,
  );
  const ids = streamIds(cursors, securityEventsStream.name);
  const service = await startHttpService(routes);
  const record = async (event: PrincipalEvent, tenant: TenantId = tenantId): Promise<bigint> => {
    const stored = { id: randomUUID(), ...principals.encode(event), metadata: metadata(tenant) };
    const stream = principalStream(tenant, event.data.principalId as PrincipalId);
    const appended = await store.append(stream, 'any', [stored]);
    assert.ok(isRight(appended));
    return appended.right.position;
  };
  const get = async (
    path: string,
    { identity = reader(), headers = {} }: { identity?: Identity; headers?: Record<string, string> } = {},
  ) => {
    const response = await service.call(path, { identity, headers });
    const text = await response.text();
    return { response, status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const close = async (): Promise<void> => {
    closing.abort();
    service.drain();
    await service.close();
  };
  return { ...service, views, record, get, rights, ids, close };
};
