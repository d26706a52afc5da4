import assert from 'node:assert/strict';
import type { DocumentRegistry } from '../../../commands/editor/document-owner/document-handle';
import type { AccessSource } from '../../../commands/editor/ports';
import { ticketLine } from '../../../infra/server/http/identity/socket-ticket';
import { epochBump } from '../../support/gateway/revocations';
import { signedHeader } from '../../support/http/http-service';
import { client, place, writer } from '../document-owner/fixture';
import { identityOf, openEndpoints, openScene, type Scene } from './fixture';

const ticketOf = (principalId: string, expiresAt: number): string =>
  signedHeader(ticketLine.method, ticketLine.target, identityOf(principalId, { expiresAt }));

interface Answered {
  readonly code?: string;
  readonly detail?: string;
  readonly results?: readonly { readonly status: string; readonly reason?: string }[];
}

describe('a session of a document', () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene();
  });
  afterEach(() => scene.close());

  it('is notified at once of a changed or withdrawn role', async () => {
    const bob = await scene.endpoints.comes('bob');
    await bob.join();
    scene.now.roles.set('bob', 'viewer');
    scene.now.roles.become('active');
    assert.equal((await bob.receive('permissionChanged')).role, 'viewer');
    scene.now.roles.set('bob', undefined);
    scene.now.roles.become('active');
    assert.equal((await bob.receive('permissionChanged')).role, 'none');
    assert.deepEqual(await bob.client.closed, { code: 4403, reason: 'access-withdrawn' });
  });

  it('does not begin for a member who is removed while the document is opened', async () => {
    const owner = scene.now.owner();
    const open: DocumentRegistry['open'] = async (request, instead) => {
      const opened = await owner.open(request, instead);
      if (request.documentId !== 'doc-2') return opened;
      scene.now.roles.set('bob', undefined);
      scene.now.roles.become('active');
      return opened;
    };
    const endpoints = await openEndpoints({ now: scene.now, documents: { ...owner, open } });
    const bob = await endpoints.comes('bob');
    bob.sendMessage({ type: 'join', documentId: 'doc-2', lastCommittedVersion: 0, capabilities: [] });
    const first = await bob.next();
    assert.deepEqual([first.type, 'code' in first && first.code], ['error', 'not-found']);
    await endpoints.close();
  });

  it('does not begin for a member who is removed while access is read', async () => {
    const { access, roles } = scene.now;
    const about: AccessSource['read'] = async (document) => {
      const before = await access.read(document);
      roles.set('bob', undefined);
      roles.become('active');
      return before;
    };
    const documents = scene.now.owner();
    await documents.open(place);
    const endpoints = await openEndpoints({ now: { ...scene.now, access: { ...access, read: about } }, documents });
    const bob = await endpoints.comes('bob');
    bob.sendMessage({ type: 'join', documentId: 'doc-1', lastCommittedVersion: 0, capabilities: [] });
    const first = await bob.next();
    assert.deepEqual([first.type, 'code' in first && first.code], ['error', 'not-found']);
    await endpoints.close();
  });

  it('of a viewer is read-only', async () => {
    scene.now.roles.set('eve', 'viewer');
    const eve = await scene.endpoints.comes('eve');
    const { role, clientId } = await eve.join();
    assert.equal(role, 'viewer');
    eve.send(writer(clientId).create(1));
    const { results, committedVersion } = await eve.receive('ack');
    assert.deepEqual([committedVersion, results?.map(({ reason }) => reason)], [0, ['forbidden']]);
  });

  it('is read-only with a read-only token', async () => {
    const ada = await scene.endpoints.comes('ada', { scopes: ['documents:read'] });
    const { role, clientId } = await ada.join();
    assert.equal(role, 'viewer');
    ada.send(writer(clientId).create(1));
    const { code, clientSeq } = await ada.receive('error');
    assert.deepEqual([code, clientSeq], ['forbidden', 1]);
  });

  it('is refused without a role, without a document, or in the trash', async () => {
    scene.now.roles.set('eve', undefined);
    const eve = await scene.endpoints.comes('eve');
    eve.sendMessage({ type: 'join', documentId: 'doc-1', lastCommittedVersion: 0, capabilities: [] });
    assert.equal((await eve.receive('error')).code, 'not-found');
    const ada = await scene.endpoints.comes('ada');
    scene.now.roles.become('trashed');
    ada.sendMessage({ type: 'join', documentId: 'doc-1', lastCommittedVersion: 0, capabilities: [] });
    assert.equal((await ada.receive('error')).code, 'trashed');
  });

  it('ends when its document is moved to the trash', async () => {
    const ada = await scene.endpoints.comes('ada');
    await ada.join();
    scene.now.roles.become('trashed');
    assert.equal((await ada.receive('error')).code, 'trashed');
    assert.deepEqual(await ada.client.closed, { code: 4410, reason: 'trashed' });
  });

  it('uses the highest schema version of both sides, and is refused with a reason if there is none', async () => {
    const ada = await scene.endpoints.comes('ada');
    const refused = async (...capabilities: readonly string[]) => {
      ada.sendMessage({ type: 'join', documentId: 'doc-1', lastCommittedVersion: 0, capabilities });
      return ada.receive('error');
    };
    const old = await refused('schema:0');
    assert.deepEqual([old.code, /schemas 1 to 2, this client 0/u.test(old.detail)], ['client-too-old', true]);
    const ahead = await refused('schema:3', 'schema:4');
    assert.deepEqual([ahead.code, /this client 3, 4/u.test(ahead.detail)], ['client-too-new', true]);
    assert.equal((await ada.join({ capabilities: ['schema:1', 'schema:x', 'colours'] })).schemaVersion, 1);
    assert.equal((await ada.join({ capabilities: [] })).schemaVersion, 1);
    assert.equal((await ada.join({ capabilities: ['schema:1', 'schema:2', 'schema:3'] })).schemaVersion, 2);
  });

  it('rejects what an earlier schema cannot express, and keeps the rest of the batch', async () => {
    const ada = await scene.endpoints.comes('ada');
    const { clientId } = await ada.join({ capabilities: ['schema:1'] });
    const writing = writer(clientId);
    const id = writing.idOf(1);
    ada.send(writing.create(1), writing.set(id, 'component', true), writing.set(id, 'opacity', 1));
    const { results = [] } = await ada.receive('ack');
    assert.deepEqual(
      results.map(({ status, reason }) => reason ?? status),
      ['applied', 'schema-too-old', 'applied'],
    );
  });

  it('over HTTP needs a supported schema version, and gets the reason otherwise', async () => {
    const writing = writer(client('program'));
    const commitWith = async (schemaVersion: number, ...operations: readonly unknown[]) => {
      const answer = await scene.endpoints.commits('ada', { clientId: writing.clientId, operations, schemaVersion });
      return { status: answer.status, body: (await answer.json()) as Answered };
    };
    const ahead = await commitWith(3, writing.create(1));
    assert.deepEqual([ahead.status, ahead.body.code], [409, 'client-too-new']);
    assert.match(ahead.body.detail ?? '', /schemas 1 to 2, this client 3/u);
    const write = writer(writing.clientId);
    const early = await commitWith(1, write.create(1), write.set(write.idOf(1), 'component', true));
    assert.deepEqual(
      early.body.results?.map(({ status, reason }) => reason ?? status),
      ['applied', 'schema-too-old'],
    );
    assert.equal((await commitWith(0)).status, 400);
  });

  it('ends with its token, continues with renewed ones, and ends on revocation', async () => {
    const ends = await scene.endpoints.comes('ada', { expiresAt: Date.now() + 50 });
    assert.deepEqual(await ends.client.closed, { code: 4401, reason: 'token-expired' });
    const lasts = await scene.endpoints.comes('ada', { expiresAt: Date.now() + 60_000, securityEpoch: 1 });
    await lasts.join();
    lasts.sendMessage({ type: 'authenticate', ticket: ticketOf('ada', Date.now() + 120_000) });
    lasts.sendMessage({ type: 'ping' });
    await lasts.receive('pong');
    scene.endpoints.rights.apply(epochBump('ada', 2));
    assert.deepEqual(await lasts.client.closed, { code: 4403, reason: 'token_revoked' });
    const swaps = await scene.endpoints.comes('cem');
    swaps.sendMessage({ type: 'authenticate', ticket: ticketOf('bob', Date.now() + 120_000) });
    assert.equal((await swaps.client.closed).code, 4401);
  });
});
