import assert from 'node:assert/strict';
import { left, right } from 'fp-ts/Either';
import type { DocumentRegistry, OpenFailure } from '../../../commands/editor/document-owner/document-handle';
import { limits } from '../../../domain/editor/limits';
import { fault } from '../../../domain/kernel/rejection';
import { openMemoryDocumentLeases } from '../../../infra/adapters/redis/editor/memory-document-leases';
import { freePort } from '../../../infra/operate/launch/free-port';
import { identityHeader } from '../../../infra/server/http/identity/identity-header';
import { proxiedHeader } from '../../../infra/server/ws/socket-proxy';
import { signedHeader } from '../../support/http/http-service';
import { assertRateLimited } from '../../support/http/rate-limited';
import { refusedSocket } from '../../support/http/socket-client';
import { client, type Stage, stage, stream, writer } from '../document-owner/fixture';
import { type EditorEndpoints, identityOf, openClient, openEndpoints, person, socketPath } from './fixture';

/** Every document is owned by another process. */
const foreign = (answer: () => OpenFailure): DocumentRegistry => ({
  open: async () => left(answer()),
  find: () => undefined,
  handleTakeover: () => undefined,
  verifyOwnership: () => undefined,
  close: async () => undefined,
});

const batchPath = '/v1/documents/doc-1/operations:batch';

describe('a document that another copy owns', () => {
  let now: Stage;
  let owner: EditorEndpoints;
  let other: EditorEndpoints;
  let answer: OpenFailure;
  beforeEach(async () => {
    now = stage();
    owner = await openEndpoints({ now, documents: now.owner() });
    other = await openEndpoints({ now, documents: foreign(() => answer) });
    answer = { kind: 'elsewhere', address: `http://127.0.0.1:${owner.port}` };
  });
  afterEach(async () => {
    await other.close();
    await owner.close();
    await now.close();
  });

  const opening = (more: object = {}) => ({
    protocols: ['septet.editor.v1'],
    headers: { [identityHeader]: signedHeader('GET', socketPath, identityOf('ada')), ...more },
  });
  const refused = (more?: object) => refusedSocket(`ws://127.0.0.1:${other.port}${socketPath}`, opening(more));
  const send = (clientSeq: number, more: object = {}, { port } = other): Promise<Response> => {
    const write = writer(client('program'), clientSeq);
    const headers = { [identityHeader]: signedHeader('POST', batchPath, identityOf('ada')), ...more };
    const body = JSON.stringify({ clientId: write.clientId, operations: [write.create(clientSeq)] });
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
    return fetch(`http://127.0.0.1:${port}${batchPath}`, init);
  };
  const commit = async (clientSeq: number, more: object = {}, target = other) => {
    const response = await send(clientSeq, more, target);
    return { status: response.status, body: (await response.json()) as { readonly [field: string]: unknown } };
  };

  it('is opened and edited at its owner', async () => {
    const ada = person(await openClient(other.port, identityOf('ada')));
    assert.equal((await ada.join()).role, 'editor');
    const done = await commit(1);
    assert.deepEqual([done.status, done.body.committedVersion], [200, 1]);
    assert.equal((await ada.receive('operations')).toVersion, 1);
  });

  it('relays its owner’s responses', async () => {
    const gap = await commit(5);
    assert.deepEqual([gap.status, gap.body.code, gap.body.expectedClientSeq], [409, 'client-seq-gap', 1]);
  });

  it('relays its owner’s rate limits', async () => {
    const operations = { most: 1, perSecond: 0.001 };
    const rates = { ...limits.rates, principal: { ...limits.rates.principal, operations } };
    const limited = await openEndpoints({ now, documents: now.owner(), rates });
    answer = { kind: 'elsewhere', address: `http://127.0.0.1:${limited.port}` };
    assert.equal((await send(1)).status, 200);
    await assertRateLimited(await send(2), { limit: 1 });
    await limited.close();
  });

  it('is proxied once, even if lease information is stale', async () => {
    answer = { kind: 'elsewhere', address: `http://127.0.0.1:${other.port}` };
    assert.deepEqual(await refused(), [503, 'service-unavailable']);
    assert.deepEqual(await refused({ [proxiedHeader]: '1' }), [503, 'service-unavailable']);
    assert.equal((await commit(1)).status, 503);
  });

  it('is unavailable while its owner is unavailable', async () => {
    await owner.close();
    assert.deepEqual(await refused(), [503, 'service-unavailable']);
    assert.equal((await commit(1)).status, 503);
    answer = fault('service-unavailable', 'Nobody knows.');
    assert.deepEqual(await refused(), [503, 'service-unavailable']);
  });

  describe('that has ended', () => {
    let survivor: EditorEndpoints;
    beforeEach(async () => {
      const dead = openMemoryDocumentLeases(now.shared, `http://127.0.0.1:${await freePort()}`);
      await dead.acquire(stream, 60_000);
      survivor = await openEndpoints({ now, documents: now.owner() });
    });
    afterEach(() => survivor.close());

    it('is taken over by the first copy that cannot reach it, long before the lease expires', async () => {
      const ada = person(await openClient(survivor.port, identityOf('ada')));
      assert.equal((await ada.join()).role, 'editor');
    });

    it('is taken over for an HTTP request, too, which the client retries', async () => {
      assert.equal((await commit(1, {}, survivor)).status, 503);
      assert.equal((await commit(1, {}, survivor)).status, 200);
    });
  });

  it('is not looked up for principals without access', async () => {
    now.roles.set('eve', undefined);
    let isOpened = false;
    const open = async () => {
      isOpened = true;
      return right(undefined as never);
    };
    const documents = { ...foreign(() => answer), open };
    const endpoints = await openEndpoints({ now, documents });
    const eve = person(await openClient(endpoints.port, identityOf('eve')));
    eve.sendMessage({ type: 'join', documentId: 'doc-1', lastCommittedVersion: 0, capabilities: [] });
    assert.equal((await eve.receive('error')).code, 'not-found');
    assert.equal(isOpened, false);
    await endpoints.close();
  });
});
