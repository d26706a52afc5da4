import assert from 'node:assert/strict';
import { openRoomPresence } from '../../../commands/editor/sessions/presence/presence';
import { limits } from '../../../domain/editor/limits';
import {
  openMemoryPresenceStore,
  type SharedPresence,
} from '../../../infra/adapters/redis/editor/memory-presence-store';
import { eventually } from '../../support/waiting/eventually';
import { place, stage } from '../document-owner/fixture';
import { openEndpoints, openScene, type Person } from './fixture';

const cursor = (x: number) => ({ type: 'presence', cursor: { x, y: 0 }, userId: 'nobody', connectionId: 'nothing' });

/** Counts frames until the member is where it is expected. */
const framesUntil = async (who: Person, userId: string, x: number): Promise<number> => {
  for (let frames = 1; ; frames += 1) {
    const { members } = await who.receive('presence');
    assert.ok(members.every(({ userId: user, connectionId }) => user !== 'nobody' && connectionId !== 'nothing'));
    if (members.some((member) => member.userId === userId && member.cursor?.x === x)) return frames;
  }
};

describe('presence in a document', () => {
  it('broadcasts the latest position of each member per tick, and who left', async () => {
    const scene = await openScene();
    const [ada, bob] = [await scene.endpoints.comes('ada'), await scene.endpoints.comes('bob')];
    await ada.join();
    const { connectionId } = await bob.join();
    for (let x = 1; x <= 20; x += 1) bob.sendMessage(cursor(x));
    // Twenty words, and far fewer frames: they came within one tick or two.
    assert.ok((await framesUntil(ada, 'bob', 20)) < 10);
    bob.client.socket.close();
    const { members } = await ada.receive('presence');
    assert.deepEqual(
      members.map(({ connectionId: id, expiresAt }) => [id, expiresAt]),
      [[connectionId, 0]],
    );
    await scene.close();
  });

  it('sends only moved cursors to clients that support it', async () => {
    const scene = await openScene();
    const [ada, bob, eve] = [
      await scene.endpoints.comes('ada'),
      await scene.endpoints.comes('bob'),
      await scene.endpoints.comes('eve'),
    ];
    const { connectionId } = await ada.join();
    await bob.join({ capabilities: ['schema:2', 'presence:moved'] });
    await eve.join();
    const selectedNodeIds = ['someone000:1'];
    ada.sendMessage({ ...cursor(1), selectedNodeIds });
    for (const one of [bob, eve]) assert.equal(await framesUntil(one, 'ada', 1), 1);
    ada.sendMessage({ ...cursor(2), selectedNodeIds });
    assert.deepEqual(await bob.receive('presence'), { type: 'presence', members: [], moved: [[connectionId, 2, 0]] });
    const { members, moved } = await eve.receive('presence');
    assert.deepEqual([members.map((member) => member.cursor), moved], [[{ x: 2, y: 0 }], undefined]);
    ada.sendMessage(cursor(3));
    const whole = await bob.receive('presence');
    assert.deepEqual([whole.members.map((member) => member.selectedNodeIds), whole.moved], [[[]], undefined]);
    await scene.close();
  });

  it('bounds the selected node ids that are broadcast', async () => {
    const scene = await openScene();
    const [ada, bob] = [await scene.endpoints.comes('ada'), await scene.endpoints.comes('bob')];
    await ada.join();
    await bob.join();
    const selectedNodeIds = Array.from({ length: limits.selected + 500 }, (_, index) => `someone000:${index + 1}`);
    ada.sendMessage({ type: 'presence', selectedNodeIds });
    const { members } = await bob.receive('presence');
    assert.deepEqual(members[0]?.selectedNodeIds, selectedNodeIds.slice(0, limits.selected));
    await scene.close();
  });

  it('has a member per tab', async () => {
    const scene = await openScene();
    const [one, two] = [await scene.endpoints.comes('ada'), await scene.endpoints.comes('ada')];
    await one.join();
    await two.join();
    one.sendMessage(cursor(1));
    two.sendMessage(cursor(2));
    await eventually(async () => {
      const eve = await scene.endpoints.comes('eve');
      await eve.join();
      assert.equal((await eve.receive('presence')).members.length, 2);
    });
    await scene.close();
  });

  it('answers a presence flood with rateLimited, and loses no other messages', async () => {
    const scene = await openScene();
    const ada = await scene.endpoints.comes('ada');
    await ada.join();
    for (let x = 1; x <= 60; x += 1) ada.sendMessage(cursor(x));
    const limited = await ada.receive('rateLimited');
    assert.deepEqual([limited.clientSeq, limited.retryAfterMs], [undefined, 34]);
    ada.sendMessage({ type: 'ping' });
    await ada.receive('pong');
    await scene.close();
  });

  it('expires silent members', async () => {
    const boards: SharedPresence = new Map();
    let time = 0;
    const about = { name: 'a', store: openMemoryPresenceStore(boards), now: () => time, broadcast: () => undefined };
    const members = openRoomPresence(about);
    const who = (connectionId: string) => ({ documentId: place.documentId, userId: 'ada', connectionId });
    const board = (): readonly string[] => [...(boards.get('a')?.keys() ?? [])];
    members.update(who('one'), { type: 'presence' });
    await eventually(async () => assert.deepEqual(board(), ['one']));
    time = 20_000;
    members.update(who('two'), { type: 'presence' });
    await eventually(async () => assert.deepEqual(board(), ['two']));
    members.close();
  });

  it('is available to the document’s next owner', async () => {
    const now = stage();
    const boards: SharedPresence = new Map();
    const endpoints = await openEndpoints({ now, documents: now.owner(), board: openMemoryPresenceStore(boards) });
    const ada = await endpoints.comes('ada');
    await ada.join();
    ada.sendMessage(cursor(7));
    await ada.receive('presence');
    await endpoints.close();
    const next = await openEndpoints({ now, documents: now.rival(), board: openMemoryPresenceStore(boards) });
    await eventually(async () => assert.equal([...boards.values()][0]?.size, 1));
    const bob = await next.comes('bob');
    await bob.join();
    await framesUntil(bob, 'ada', 7);
    await next.close();
    await now.close();
  });
});
