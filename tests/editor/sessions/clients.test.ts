import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { ClientId } from '../../../domain/editor/ids';
import { place, writer } from '../document-owner/fixture';
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
    const answer = (await (await scene.door.issuesClientId(principalId)).json()) as { readonly clientId: ClientId };
    return answer.clientId;
  };

  it('of requests without one cannot be derived by other members', async () => {
    const eve = writer(publicIdOf('ada') as never);
    await scene.door.commits('eve', { clientId: eve.clientId, operations: [eve.create(1)] });
    const { clientId } = (await (
      await scene.door.commits('bob', { operations: [writer(publicIdOf('bob') as never).create(1)] })
    ).json()) as { clientId: string };
    assert.notEqual(clientId, publicIdOf('bob'));
    const ada = writer(publicIdOf('ada') as never);
    const committed = await scene.door.commits('ada', { operations: [ada.set(ada.idOf(9), 'opacity', 1)] });
    assert.equal(committed.status, 200, await committed.text());
  });

  it('of requests without one is the same in every copy of the editor', async () => {
    const sent = { operations: [writer(publicIdOf('ada') as never).set('0000000000:1' as never, 'opacity', 1)] };
    const first = (await (await scene.door.commits('ada', sent)).json()) as { clientId: string };
    const door = await restarted();
    const second = (await (await door.commits('ada', sent)).json()) as { clientId: string };
    assert.equal(first.clientId, second.clientId);
    await door.close();
  });

  it('is hidden from other members', async () => {
    const [ada, eve] = [await scene.door.comes('ada'), await scene.door.comes('eve')];
    const [{ clientId, connectionId }] = [await ada.join(), await eve.join()];
    ada.say({ type: 'presence', cursor: { x: 1, y: 1 } });
    const { members } = await eve.hears('presence');
    assert.deepEqual(
      members.map((member) => member.connectionId),
      [connectionId],
    );
    assert.notEqual(connectionId, clientId);
    ada.client.socket.terminate();
    const again = await scene.door.comes('ada');
    assert.equal((await again.join({ clientId })).connectionId, connectionId);
  });

  it('belongs to the principal to whom it was issued, also before its first commit and after a takeover', async () => {
    const ada = await scene.door.comes('ada');
    const { clientId } = await ada.join();
    const door = await restarted();
    scene.now.roles.set('eve', 'viewer');
    for (const name of ['eve', 'bob']) {
      const other = await door.comes(name);
      other.say({ ...join, clientId });
      assert.equal((await other.hears('error')).code, 'client-id-taken', name);
    }
    const back = await door.comes('ada');
    assert.equal((await back.join({ clientId })).clientId, clientId);
    await door.close();
  });

  it('is new in each answer, and only for editors', async () => {
    const ids = new Set([await issuedTo('ada'), await issuedTo('ada'), await issuedTo('bob')]);
    assert.equal(ids.size, 3);
    scene.now.roles.set('eve', 'viewer');
    assert.equal(await codeOf(await scene.door.issuesClientId('eve')), 'role-too-low');
    scene.now.roles.set('eve', undefined);
    assert.equal(await codeOf(await scene.door.issuesClientId('eve')), 'document-unknown');
  });

  it('cannot be chosen by the client of a socket', async () => {
    const ada = await scene.door.comes('ada');
    ada.say({ ...join, clientId: 'abcdefghij' });
    assert.equal((await ada.hears('error')).code, 'client-id-taken');
    const chosen = writer('abcdefghij' as never);
    assert.equal(
      (await scene.door.commits('ada', { clientId: chosen.clientId, operations: [chosen.create(1)] })).status,
      200,
    );
    assert.equal((await ada.join({ clientId: chosen.clientId })).lastClientSeq, 1);
  });
});
