import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { ClientId, NodeId } from '../../../domain/editor/ids';
import { place, unprovenClientIds, writer } from '../document-owner/fixture';
import { openEndpoints, openScene, type Scene } from './fixture';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** What every member could once work out of another one's requests. */
const publicIdOf = (principalId: string): string => {
  const parts = JSON.stringify([place.tenant, place.documentId, principalId, 'batch']);
  let value = createHash('sha256').update(parts).digest().readBigUInt64BE();
  let id = '';
  for (; id.length < 10; value /= 62n) id += digits.charAt(Number(value % 62n));
  return id;
};

const join = { type: 'join', documentId: place.documentId, lastCommittedVersion: 0, capabilities: [] };

const codeOf = async (answer: Response): Promise<unknown> => ((await answer.json()) as { code?: unknown }).code;

describe('the id of a client', () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene();
  });
  afterEach(() => scene.close());

  const restarted = async () => {
    await scene.now.close();
    const documents = scene.now.owner();
    return openEndpoints({ now: scene.now, documents });
  };

  const issuedTo = async (principalId: string): Promise<ClientId> => {
    const answer = (await (await scene.endpoints.issuesClientId(principalId)).json()) as {
      readonly clientId: ClientId;
    };
    return answer.clientId;
  };

  it('of requests without one cannot be derived by other members', async () => {
    const eve = writer(publicIdOf('ada') as never);
    const taken = await scene.endpoints.commits('eve', { clientId: eve.clientId, operations: [eve.create(1)] });
    assert.equal(await codeOf(taken), 'client-id-not-issued');
    const { clientId } = (await (
      await scene.endpoints.commits('bob', { operations: [writer(publicIdOf('bob') as never).create(1)] })
    ).json()) as { clientId: string };
    assert.notEqual(clientId, publicIdOf('bob'));
    const ada = writer(publicIdOf('ada') as never);
    const committed = await scene.endpoints.commits('ada', { operations: [ada.set(ada.idOf(9), 'opacity', 1)] });
    assert.equal(committed.status, 200, await committed.text());
  });

  it('of requests without one is the same in every copy of the editor', async () => {
    const sent = { operations: [writer(publicIdOf('ada') as never).set('0000000000:1' as never, 'opacity', 1)] };
    const first = (await (await scene.endpoints.commits('ada', sent)).json()) as { clientId: string };
    const endpoints = await restarted();
    const second = (await (await endpoints.commits('ada', sent)).json()) as { clientId: string };
    assert.equal(first.clientId, second.clientId);
    await endpoints.close();
  });

  it('is hidden from other members', async () => {
    const [ada, eve] = [await scene.endpoints.comes('ada'), await scene.endpoints.comes('eve')];
    const [{ clientId, connectionId }] = [await ada.join(), await eve.join()];
    ada.sendMessage({ type: 'presence', cursor: { x: 1, y: 1 } });
    const { members } = await eve.receive('presence');
    assert.deepEqual(
      members.map((member) => member.connectionId),
      [connectionId],
    );
    assert.notEqual(connectionId, clientId);
    ada.client.socket.terminate();
    const again = await scene.endpoints.comes('ada');
    assert.equal((await again.join({ clientId })).connectionId, connectionId);
  });

  it('belongs to the principal to whom it was issued, also before its first commit and after a takeover', async () => {
    const ada = await scene.endpoints.comes('ada');
    const { clientId } = await ada.join();
    const endpoints = await restarted();
    const stolen = await endpoints.commits('bob', { clientId, operations: [writer(clientId).create(1)] });
    assert.deepEqual([stolen.status, await codeOf(stolen)], [409, 'client-id-not-issued']);
    scene.now.roles.set('eve', 'viewer');
    for (const name of ['eve', 'bob']) {
      const other = await endpoints.comes(name);
      other.sendMessage({ ...join, clientId });
      assert.equal((await other.receive('error')).code, 'client-id-taken', name);
    }
    const back = await endpoints.comes('ada');
    assert.equal((await back.join({ clientId })).clientId, clientId);
    back.send(writer(clientId).create(1));
    assert.equal((await back.receive('ack')).results?.[0]?.status, 'applied');
    await endpoints.close();
  });

  it('belongs to its principal when it was issued by request, or the principal could not edit then', async () => {
    scene.now.roles.set('bob', 'viewer');
    const bob = await scene.endpoints.comes('bob');
    const issued = { ada: await issuedTo('ada'), bob: (await bob.join()).clientId };
    const endpoints = await restarted();
    scene.now.roles.set('bob', 'editor');
    for (const [name, other] of [
      ['ada', 'bob'],
      ['bob', 'ada'],
    ] as const) {
      const sent = { clientId: issued[name], operations: [writer(issued[name]).create(1)] };
      assert.equal(await codeOf(await endpoints.commits(other, sent)), 'client-id-not-issued');
      assert.equal((await endpoints.commits(name, sent)).status, 200);
      assert.equal(await codeOf(await endpoints.commits(other, sent)), 'client-id-taken');
    }
    await endpoints.close();
  });

  it('is new in each answer, and only for editors', async () => {
    const ids = new Set([await issuedTo('ada'), await issuedTo('ada'), await issuedTo('bob')]);
    assert.equal(ids.size, 3);
    scene.now.roles.set('eve', 'viewer');
    assert.equal(await codeOf(await scene.endpoints.issuesClientId('eve')), 'role-too-low');
    scene.now.roles.set('eve', undefined);
    assert.equal(await codeOf(await scene.endpoints.issuesClientId('eve')), 'document-unknown');
  });

  it('remains the principal’s while access is withdrawn and given again', async () => {
    const clientId = await issuedTo('ada');
    scene.now.roles.set('ada', undefined);
    const endpoints = await restarted();
    const sent = { clientId, operations: [writer(clientId).create(1)] };
    assert.equal(await codeOf(await endpoints.commits('bob', sent)), 'client-id-not-issued');
    assert.equal((await endpoints.commits('ada', sent)).status, 404);
    scene.now.roles.set('ada', 'editor');
    assert.equal((await endpoints.commits('ada', sent)).status, 200);
    await endpoints.close();
  });

  it('cannot be chosen, neither at a socket nor by request', async () => {
    const ada = await scene.endpoints.comes('ada');
    ada.sendMessage({ ...join, clientId: 'abcdefghij' });
    assert.equal((await ada.receive('error')).code, 'client-id-taken');
    const chosen = writer('abcdefghij' as ClientId);
    const refused = await scene.endpoints.commits('ada', { clientId: chosen.clientId, operations: [chosen.create(1)] });
    assert.deepEqual([refused.status, await codeOf(refused)], [409, 'client-id-not-issued']);
    assert.equal((await ada.join()).committedVersion, 0);
  });

  it('is refused when it was forged from one’s own, changed or cut off', async () => {
    const own = await issuedTo('ada');
    const last = own.endsWith('0') ? '1' : '0';
    const refusals: readonly (readonly [string, number, string])[] = [
      [`${own.slice(0, 9)}${last}`, 409, 'client-id-not-issued'],
      [`0${own.slice(1)}`, 409, 'client-id-not-issued'],
      [`${own.slice(0, 3)}000${own.slice(6)}`, 409, 'client-id-not-issued'],
      [own.slice(0, 9), 400, 'invalid-input'],
      [`${own}0`, 400, 'invalid-input'],
    ];
    for (const [clientId, status, code] of refusals) {
      const operations = [writer(own).set(`${own}:1` as NodeId, 'opacity', 1)];
      const refused = await scene.endpoints.commits('ada', { clientId, operations });
      assert.deepEqual([clientId, refused.status, await codeOf(refused)], [clientId, status, code]);
    }
    const ada = await scene.endpoints.comes('ada');
    for (const [clientId, status] of refusals) {
      ada.sendMessage({ ...join, clientId });
      assert.equal((await ada.receive('error')).code, status === 409 ? 'client-id-taken' : 'malformed');
    }
  });

  it('that a principal chose when that was possible remains that principal’s', async () => {
    const chosen = writer('abcdefghij' as ClientId);
    const batch = (operation: ReturnType<typeof chosen.create>) => ({
      clientId: chosen.clientId,
      operations: [operation],
    });
    await scene.now.close();
    const before = await openEndpoints({
      now: scene.now,
      documents: scene.now.owner({ clientIds: unprovenClientIds }),
    });
    assert.equal((await before.commits('ada', batch(chosen.create(1)))).status, 200);
    await before.close();
    const endpoints = await restarted();
    const next = batch(chosen.create(2));
    assert.equal(await codeOf(await endpoints.commits('bob', next)), 'client-id-taken');
    assert.equal((await endpoints.commits('ada', next)).status, 200);
    const ada = await endpoints.comes('ada');
    assert.equal((await ada.join({ clientId: chosen.clientId })).lastClientSeq, 2);
    await endpoints.close();
  });
});
