import assert from 'node:assert/strict';
import { openMemoryDocumentLeases } from '../../../infra/adapters/redis/editor/memory-document-leases';
import { eventually } from '../../support/waiting/eventually';
import { place, stage, stream } from '../document-owner/fixture';
import { type EditorEndpoints, identityOf, openEndpoints, openScene } from './fixture';

const path = `/v1/documents/${place.documentId}/presence`;

const present = async (endpoints: EditorEndpoints, as = identityOf('bob')): Promise<unknown> => {
  const answer = await endpoints.gets(path, as);
  return answer.status === 200 ? ((await answer.json()) as { readonly items: unknown }).items : answer.status;
};

describe('who has a document open', () => {
  const dee = identityOf('dee', { scopes: ['documents:read', 'documents:admin'] });

  it('is whoever has joined, with the number of connections, until they leave', async () => {
    const { endpoints, close } = await openScene();
    assert.deepEqual(await present(endpoints), []);
    const [ada, again, bob] = [
      await endpoints.comes('ada'),
      await endpoints.comes('ada'),
      await endpoints.comes('bob'),
    ];
    for (const one of [ada, again, bob]) await one.join();
    const both = [
      { principalId: 'ada', connections: 2 },
      { principalId: 'bob', connections: 1 },
    ];
    assert.deepEqual(await present(endpoints), both);
    assert.deepEqual(await present(endpoints, dee), both, 'an administrator without a role');
    bob.client.socket.close();
    again.client.socket.close();
    await eventually(async () => assert.deepEqual(await present(endpoints), [{ principalId: 'ada', connections: 1 }]));
    await close();
  });

  it('is told to nobody without a role, and of another tenant to no administrator', async () => {
    const { now, endpoints, close } = await openScene();
    now.roles.set('eve', undefined);
    await (await endpoints.comes('ada')).join();
    assert.equal(await present(endpoints, identityOf('eve')), 404);
    assert.deepEqual(await present(endpoints, { ...dee, tenantId: 'other' }), []);
    await close();
  });

  it('is asked of the owner by another copy, which opens nothing', async () => {
    const now = stage();
    const owner = await openEndpoints({ now, documents: now.owner() });
    await (await owner.comes('ada')).join();
    now.shared.clear();
    await openMemoryDocumentLeases(now.shared, `http://127.0.0.1:${owner.port}`).acquire(stream, 60_000);
    const elsewhere = now.owner();
    const other = await openEndpoints({ now, documents: elsewhere });
    assert.deepEqual(await present(other), [{ principalId: 'ada', connections: 1 }]);
    assert.equal(elsewhere.find(place), undefined);
    for (const one of [other, owner]) await one.close();
    await now.close();
  });
});
