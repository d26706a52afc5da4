/** Routes of documents on loopback over a log in memory, called by people of two tenants. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isRight } from 'fp-ts/Either';
import { documentRoutes } from '../../../../commands/editor/document/routes';
import { noCommandMetrics } from '../../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../../commands/kernel/exclusive-aggregates';
import { principals } from '../../../../domain/identity/principal/events';
import type { Instant } from '../../../../domain/kernel/codec';
import { openMemoryEventStore } from '../../../../infra/adapters/eventstore/memory-event-store';
import { streamPagesOf } from '../../../../infra/adapters/eventstore/read/stream-pages';
import { memoryKms } from '../../../../infra/adapters/kms/memory-keystore';
import type { EventStore } from '../../../../infra/ports/event-store';
import type { Identity } from '../../../../infra/server/http/routing/route';
import { startHttpService } from '../../../support/http/http-service';
import { noon } from '../examples';

export const someone = (
  principalId: string,
  tenantId = 'acme',
  scopes = ['documents:read', 'documents:write'],
): Identity => ({
  tenantId,
  principalId,
  principalType: 'HUMAN',
  scopes,
  tokenId: `jti-${principalId}`,
});
export const [ada, bob, cem] = [someone('ada'), someone('bob'), someone('cem')];
export const stranger = someone('eve', 'other');

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly [field: string]: unknown };
}

export type More = { readonly key?: string; readonly ifMatch?: string };

export const metadataOf = (tenant: string, actor = 'ada', at: string = noon) => ({
  $correlationId: 'r-1',
  $causationId: 'k-1',
  commandId: randomUUID(),
  commandHash: 'ab',
  tenant,
  actor,
  at,
});

/** The document routes as a service, over a log of the test or one in memory. */
export const startDocuments = async (store: EventStore = openMemoryEventStore()) => {
  const clock = { now: () => new Date().toISOString() as Instant };
  const random = { uuid: randomUUID, token: () => randomUUID() };
  const pages = streamPagesOf(store);
  const deps = {
    store,
    pages,
    commandMetrics: noCommandMetrics,
    clock,
    random,
    warm: createExclusiveAggregates(),
    kms: memoryKms(),
  };
  const service = await startHttpService(documentRoutes(deps));
  const request = async (line: string, identity: Identity, body?: object, more: More = {}): Promise<TestResponse> => {
    const [method = '', path = ''] = line.split(' ');
    const headers: Record<string, string> = { 'idempotency-key': more.key ?? randomUUID() };
    if (more.ifMatch !== undefined) headers['if-match'] = more.ifMatch;
    if (body !== undefined) headers['content-type'] = 'application/json';
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await service.call(path, { method, identity, headers, ...sent });
    const answered = (await response.json()) as TestResponse['body'];
    return { status: response.status, headers: response.headers, body: answered };
  };
  const create = async (identity: Identity = ada, title = 'Landing page'): Promise<string> => {
    const { status, body } = await request('POST /v1/documents', identity, { title });
    assert.equal(status, 201);
    return String(body.documentId);
  };
  const append = async (stream: string, event: { type: string; data: unknown }, metadata: object): Promise<bigint> => {
    const appended = await store.append(stream, 'any', [{ id: randomUUID(), ...event, metadata }]);
    assert.ok(isRight(appended));
    return appended.right.position;
  };
  const register = (principalId: string, tenantId = 'acme') => {
    const data = { principalId, tenantId, principalType: 'HUMAN', createdAt: noon };
    const event = principals.encode({ type: 'PrincipalRegistered', data } as never);
    return append(`identity.principal-${tenantId}.${principalId}`, event, metadataOf(tenantId));
  };
  const suspend = (principalId: string, tenantId = 'acme') => {
    const event = principals.encode({ type: 'PrincipalSuspended', data: { principalId, reason: 'left' } } as never);
    return append(`identity.principal-${tenantId}.${principalId}`, event, metadataOf(tenantId));
  };
  return { store, request, create, append, register, suspend, close: service.close };
};
export type DocumentsStage = Awaited<ReturnType<typeof startDocuments>>;

export const code = ({ status, body }: TestResponse): string => `${status} ${body.code ?? ''}`.trim();

/** A document that Bob is a member of. */
export const documentWithBob = async (stage: DocumentsStage, role: string): Promise<string> => {
  const documentId = await stage.create();
  const { body } = await stage.request(`POST /v1/documents/${documentId}/invitations`, ada, {
    role,
    principalId: 'bob',
  });
  const accepted = await stage.request(
    `POST /v1/documents/${documentId}/invitations/${body.invitationId}/accept`,
    someone('bob', 'acme', ['documents:read']),
    {},
  );
  assert.equal(code(accepted), '200');
  return documentId;
};
