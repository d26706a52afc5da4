/** Copies of the editor as processes over a real log and a real Redis, and documents that people have open there. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { isRight } from 'fp-ts/Either';
import { type DocumentEvent, documents } from '../../../../domain/editor/document/events';
import type { ClientId, DocumentId } from '../../../../domain/editor/ids';
import { freePort } from '../../../../infra/operate/launch/free-port';
import type { EventStore } from '../../../../infra/ports/event-store';
import { entryPath } from '../../../../infra/server/bundle/entry-path';
import { identityHeader } from '../../../../infra/server/http/identity/identity-header';
import type { Identity } from '../../../../infra/server/http/routing/route';
import { created, memberAdded } from '../../../editor/documents/examples';
import { identityOf, openClient, type Person, person } from '../../../editor/sessions/fixture';
import { metadata } from '../../../identity/read-api/fixture';
import { signedHeader } from '../../../support/http/http-service';
import { editorVariables } from '../../../support/http/internal-keys';
import { exitOf } from '../../../support/processes/child-exit';

export interface EditorProcess {
  readonly port: number;
  readonly pid: number;
  readonly kill: (signal?: 'SIGKILL' | 'SIGTERM') => Promise<void>;
  readonly comes: (documentId: string, principalId: string, more?: Partial<Identity>) => Promise<Person>;
  readonly request: (
    target: string,
    principalId: string,
    body?: unknown,
    more?: Partial<Identity>,
  ) => Promise<Response>;
  /** By a request. */
  readonly issuesClientId: (documentId: string, principalId: string) => Promise<ClientId>;
}

export interface Around {
  readonly EVENTSTORE_URL: string;
  readonly REDIS_URL: string;
  readonly BLOBS_DIR: string;
  /** If omitted, that of all tests. */
  readonly EDITOR_CLIENT_KEY?: string;
}

const headersOf = (method: string, target: string, identity: Identity) => ({
  [identityHeader]: signedHeader(method, target, identity),
  'content-type': 'application/json',
});

/** At the port of one that ended, where it is given. */
export const startEditor = async (around: Around, at?: number): Promise<EditorProcess> => {
  const port = at ?? ((await freePort()) as number);
  const env = {
    ...process.env,
    ...editorVariables,
    ...around,
    PORT: String(port),
    LOG_LEVEL: 'error',
    PUBLIC_URL: 'http://septet.test',
    BLOBS_KEY: 'k'.repeat(43),
  };
  const options = { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] as never, env };
  const child = fork(entryPath('commands/editor/main'), [], options);
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the editor ended with ${code}`))),
  ]);
  const request: EditorProcess['request'] = (target, principalId, body, more) => {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const url = `http://127.0.0.1:${port}${target}`;
    return fetch(url, { method, headers: headersOf(method, target, identityOf(principalId, more)), ...sent });
  };
  return {
    port,
    pid: child.pid as number,
    kill: async (signal = 'SIGKILL') => {
      child.kill(signal);
      await exitOf(child);
    },
    comes: async (documentId, principalId, more) =>
      person(await openClient(port, identityOf(principalId, more), `/v1/documents/${documentId}/socket`), documentId),
    request,
    issuesClientId: async (documentId, principalId) => {
      const answer = await request(`/v1/documents/${documentId}/clients`, principalId, {});
      assert.equal(answer.status, 200);
      return ((await answer.json()) as { readonly clientId: ClientId }).clientId;
    },
  };
};

const append = async (
  store: EventStore,
  documentId: string,
  documentEvents: readonly DocumentEvent[],
  tenant = 'acme',
): Promise<void> => {
  const events = documentEvents.map((event) => {
    const data = { ...event.data, documentId: documentId as DocumentId };
    const encoded = documents.encode({ ...event, data } as DocumentEvent);
    return { id: randomUUID(), ...encoded, metadata: metadata(tenant) };
  });
  assert.ok(isRight(await store.append(`editor.document-${tenant}.${documentId}`, 'any', events)));
};

/** Ada's, with Bob as an editor. */
export const recordDocument = async (
  store: EventStore,
  { documentId = randomUUID(), tenant = 'acme' }: { readonly documentId?: string; readonly tenant?: string } = {},
): Promise<string> => {
  await append(store, documentId, [created, memberAdded('bob' as never, 'editor')], tenant);
  return documentId;
};

export const recordMore = append;
