/** The editor's endpoints over documents in memory, and people at their sockets. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { right } from 'fp-ts/Either';
import type { DocumentRegistry } from '../../../commands/editor/document-owner/document-handle';
import { createConnectionCounter } from '../../../commands/editor/sessions/connection-limit';
import { openEditorEndpoints } from '../../../commands/editor/sessions/endpoints';
import { contentRoutes } from '../../../commands/editor/sessions/http/routes';
import { sessionMetrics } from '../../../commands/editor/sessions/metrics';
import { createRateLimiter, type RateTable } from '../../../commands/editor/sessions/rate-limits';
import { limits } from '../../../domain/editor/limits';
import type { Operation } from '../../../domain/editor/operation';
import type { ServerMessage } from '../../../domain/editor/protocol/server-messages';
import type { Instant } from '../../../domain/kernel/codec';
import { openMemoryDocumentLeases } from '../../../infra/adapters/redis/editor/memory-document-leases';
import { openMemoryPresenceStore } from '../../../infra/adapters/redis/editor/memory-presence-store';
import type { PresenceStore } from '../../../infra/ports/editor/presence-store';
import type { PieceUrls } from '../../../infra/server/documents/piece-urls';
import { identityHeader } from '../../../infra/server/http/identity/identity-header';
import { httpApp } from '../../../infra/server/http/routing/app';
import type { Identity } from '../../../infra/server/http/routing/route';
import { listen } from '../../../infra/server/http/server/listener';
import { openMetrics } from '../../../infra/server/runtime/metrics';
import { createTestRevocationWatch } from '../../support/gateway/revocations';
import { capturedLog, signedHeader } from '../../support/http/http-service';
import { callerKeys } from '../../support/http/internal-keys';
import { type Opening, openSocketClient, refusalOfSocket, type SocketClient } from '../../support/http/socket-client';
import { clientIds, place, type Stage, stage } from '../document-owner/fixture';

export const identityOf = (principalId: string, more: Partial<Identity> = {}): Identity => ({
  tenantId: 'acme',
  principalId,
  principalType: 'HUMAN',
  tokenId: `token-${principalId}`,
  scopes: ['documents:read', 'documents:write'],
  ...more,
});

export type MessageOf<Type extends ServerMessage['type']> = ServerMessage<Type>;

export interface Person {
  readonly client: SocketClient;
  readonly sendMessage: (message: unknown) => void;
  /** Whatever comes next. */
  readonly next: () => Promise<ServerMessage>;
  /** Leaves out what comes before. */
  readonly receive: <Type extends ServerMessage['type']>(type: Type) => Promise<MessageOf<Type>>;
  readonly join: (more?: object) => Promise<MessageOf<'joined'>>;
  readonly send: (...operations: readonly Operation[]) => void;
}

export const person = (client: SocketClient, documentId: string = place.documentId): Person => {
  const next = (): Promise<ServerMessage> => client.next() as unknown as Promise<ServerMessage>;
  const receive = async <Type extends ServerMessage['type']>(type: Type): Promise<MessageOf<Type>> => {
    for (;;) {
      const message = await next();
      if (message.type === type) return message as MessageOf<Type>;
    }
  };
  return {
    client,
    next,
    receive,
    sendMessage: client.sendJson,
    join: (more = {}) => {
      client.sendJson({ type: 'join', documentId, lastCommittedVersion: 0, capabilities: ['schema:2'], ...more });
      return receive('joined');
    },
    send: (...sent) => {
      const operations = sent.map((operation) => ({ ...operation, documentId }));
      client.sendJson({ type: 'operations', documentId, clientSeq: operations.at(-1)?.clientSeq, operations });
    },
  };
};

export interface EditorEndpoints {
  readonly port: number;
  readonly rights: ReturnType<typeof createTestRevocationWatch>;
  readonly log: ReturnType<typeof capturedLog>;
  readonly metrics: ReturnType<typeof openMetrics>;
  readonly comes: (principalId: string, more?: Partial<Identity>) => Promise<Person>;
  readonly gets: (target: string, as: Identity) => Promise<Response>;
  /** A batch by a request. */
  readonly commits: (principalId: string, body: object) => Promise<Response>;
  /** A client id by a request. */
  readonly issuesClientId: (principalId: string) => Promise<Response>;
  /** The same as `commits`, as text. */
  readonly posts: (principalId: string, body: string) => Promise<Response>;
  readonly drain: () => void;
  readonly close: () => Promise<void>;
}

export const socketPath = `/v1/documents/${place.documentId}/socket`;
const batchPath = `/v1/documents/${place.documentId}/operations:batch`;
const clientsPath = `/v1/documents/${place.documentId}/clients`;

const openingOf = (identity: Identity, path: string): Opening => ({
  protocols: ['septet.editor.v1'],
  headers: { [identityHeader]: signedHeader('GET', path, identity) },
});

export const openClient = (port: number, identity: Identity, path = socketPath): Promise<SocketClient> =>
  openSocketClient(`ws://127.0.0.1:${port}${path}`, openingOf(identity, path));

/** The answer to a handshake that is refused. */
export const refusalOfClient = (port: number, identity: Identity): Promise<Response> =>
  refusalOfSocket(`ws://127.0.0.1:${port}${socketPath}`, openingOf(identity, socketPath));

interface Doing {
  readonly now: Stage;
  readonly documents: DocumentRegistry;
  readonly board?: PresenceStore;
  readonly rates?: RateTable;
  readonly mostSockets?: number;
  /** By default snapshots have one piece, which no client can read. */
  readonly pieceUrls?: PieceUrls;
  /** Aborted when open sessions are to end. */
  readonly signal?: AbortSignal;
}

export const openEndpoints = async (doing: Doing): Promise<EditorEndpoints> => {
  const { now, documents, board = openMemoryPresenceStore(), rates = limits.rates, mostSockets, pieceUrls } = doing;
  const draining = new AbortController();
  const { signal = draining.signal } = doing;
  const [log, metrics, rights] = [capturedLog(), openMetrics('editor'), createTestRevocationWatch()];
  const clock = { now: () => new Date().toISOString() as Instant };
  const random = { uuid: randomUUID, token: (bytes: number) => randomBytes(bytes).toString('base64url') };
  const editorEndpoints = openEditorEndpoints({
    documents,
    access: now.access,
    presenceStore: board,
    leases: openMemoryDocumentLeases(now.shared, 'http://nobody'),
    rights,
    clientIds,
    clock,
    log,
    random,
    callerKeys,
    signal,
    pieceUrls: pieceUrls ?? {
      of: async (_, snapshot) => right([{ key: snapshot.compressedSceneKey, base64: 'AAAA' }]),
    },
    rateLimiter: createRateLimiter(rates),
    connections: createConnectionCounter(mostSockets),
    metrics: sessionMetrics(metrics),
  });
  const around = { callerKeys, log, metrics, health: async () => ({ ready: true, parts: {} }) };
  const app = httpApp({
    name: 'editor',
    routes: contentRoutes(editorEndpoints.content),
    ...around,
    signal: draining.signal,
  });
  const serving = { host: '127.0.0.1', port: 0, graceMilliseconds: 500, upgrade: editorEndpoints.upgrade };
  const listener = await listen(app, serving);
  const post = (path: string, principalId: string, body: string): Promise<Response> => {
    const headers = { [identityHeader]: signedHeader('POST', path, identityOf(principalId)) };
    const json = { ...headers, 'content-type': 'application/json' };
    return fetch(`http://127.0.0.1:${listener.port}${path}`, { method: 'POST', headers: json, body });
  };
  const posts: EditorEndpoints['posts'] = (principalId, body) => post(batchPath, principalId, body);
  return {
    gets: (target, as) => {
      const headers = { [identityHeader]: signedHeader('GET', target, as) };
      return fetch(`http://127.0.0.1:${listener.port}${target}`, { headers });
    },
    port: listener.port,
    rights,
    log,
    metrics,
    drain: () => draining.abort(),
    comes: async (principalId, more) => person(await openClient(listener.port, identityOf(principalId, more))),
    commits: (principalId, body) => posts(principalId, JSON.stringify(body)),
    issuesClientId: (principalId) => post(clientsPath, principalId, '{}'),
    posts,
    close: async () => {
      draining.abort();
      await listener.close();
    },
  };
};

export interface Scene {
  readonly now: Stage;
  readonly endpoints: EditorEndpoints;
  readonly close: () => Promise<void>;
}

export const openScene = async (settings: Parameters<typeof stage>[0] = {}): Promise<Scene> => {
  const now = stage(settings);
  const endpoints = await openEndpoints({ now, documents: now.owner() });
  return {
    now,
    endpoints,
    close: async () => {
      await endpoints.close();
      await now.close();
      assert.deepEqual(
        endpoints.log.lines.filter(({ level }) => level === 'error'),
        [],
      );
    },
  };
};
