/** Engines and a real owner of a document, over real sockets. */
import assert from 'node:assert/strict';
import WebSocket from 'ws';
import { identityHeader } from '../../../../infra/server/http/identity/identity-header';
import type { WebSocketConstructor, WebSocketLike } from '../../../../packages/client/src/platform';
import { defaultPlatform } from '../../../../packages/editor-engine/src/browser/platform';
import { webSocketTransport } from '../../../../packages/editor-engine/src/browser/web-socket-transport';
import { type Engine, openEngine } from '../../../../packages/editor-engine/src/engine/engine';
import type { EngineOptions } from '../../../../packages/editor-engine/src/engine/options';
import { openMemoryLocks } from '../../../../packages/editor-engine/src/storage/memory-locks';
import { openMemoryStore } from '../../../../packages/editor-engine/src/storage/memory-store';
import { place } from '../../../editor/document-owner/fixture';
import { identityOf, openScene, type Scene, socketPath } from '../../../editor/sessions/fixture';
import { signedHeader } from '../../../support/http/http-service';
import { sceneText } from '../simulation/fixture';

/** As the gateway opens it for a caller with a valid ticket. */
const socketOf = (userId: string): WebSocketConstructor =>
  class {
    constructor(url: string, protocols: string[]) {
      const headers = { [identityHeader]: signedHeader('GET', socketPath, identityOf(userId)) };
      const [protocol = ''] = protocols;
      // biome-ignore lint/correctness/noConstructorReturn: what the engine is given is the socket itself.
      return new WebSocket(url, [protocol], { headers }) as never;
    }
  } as unknown as new (
    url: string,
    protocols: string[],
  ) => WebSocketLike;

const until = (engine: Engine, isSo: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const leave = engine.on(() => look());
    const look = (): void => {
      if (!isSo()) return;
      leave();
      resolve();
    };
    look();
  });

const saved = (engine: Engine): Promise<void> => until(engine, () => engine.state().kind === 'saved');

describe('engines and the owner of a document', () => {
  let scene: Scene;
  const engines: Engine[] = [];
  const faults: string[] = [];
  beforeEach(async () => {
    scene = await openScene();
  });
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.close();
    await scene.close();
  });
  const open = async (userId: string, options: Partial<EngineOptions> = {}): Promise<Engine> => {
    const baseUrl = `http://127.0.0.1:${scene.endpoints.port}`;
    const ticket = async () => ({ ticket: 'shown', expiresAt: undefined });
    const transport = webSocketTransport({ baseUrl, ticket, WebSocket: socketOf(userId) });
    const document = { documentId: place.documentId, userId, transport, platform: defaultPlatform() };
    const engine = await openEngine({ ...document, ...options });
    engine.on((event) => (event.kind === 'fault' ? faults.push(event.fault) : undefined));
    engines.push(engine);
    await saved(engine);
    return engine;
  };

  it('interoperate: edits, undo, texts, rejections', async () => {
    const [ada, bob] = [await open('ada'), await open('bob')];
    const [frame, text] = ada.create([
      { type: 'frame', properties: { fill: 'white' } },
      { type: 'text', text: 'ab' },
    ]).ids;
    assert.ok(frame !== undefined && text !== undefined);
    await saved(ada);
    await until(bob, () => bob.node(text) !== undefined);
    bob.set([frame], { set: { radius: 4 } });
    ada.set([frame], { set: { fill: 'red' } });
    bob.type(text, (typed) => typed.insert(1, '-'));
    ada.transactAtomic(() => {
      ada.type(text, (typed) => typed.insert(2, 'c'));
      ada.move([{ id: text, parentId: frame }]);
    });
    await Promise.all([saved(ada), saved(bob)]);
    ada.undo();
    ada.undo();
    await saved(ada);
    const last = ada.state().version;
    await until(bob, () => bob.state().version === last);
    assert.equal(sceneText(ada.scene()), sceneText(bob.scene()));
    assert.deepEqual([bob.node(frame)?.properties, bob.node(text)?.parentId], [{ fill: 'white', radius: 4 }, null]);
    assert.equal(bob.text(text), 'a-b');
    assert.deepEqual([ada.recovered(), bob.recovered()], [[], []]);
    bob.setPresence({ cursor: { x: 1, y: 2 } });
    await until(ada, () => ada.members().size === 1);
    assert.deepEqual([...ada.members().values()][0]?.cursor, { x: 1, y: 2 });
  });

  it('continue from stored state, and detect a replaced log', async () => {
    const options = { store: openMemoryStore(), locks: openMemoryLocks() };
    const ada = await open('ada', options);
    const { ids } = ada.create([{ type: 'rect' }, { type: 'rect' }]);
    await ada.whenCommitted();
    await ada.close();
    faults.length = 0;
    const again = await open('ada', options);
    assert.deepEqual([again.children(null), again.recovered(), faults], [ids, [], []]);
    await again.close();

    // The same document from an earlier time, with what others did since.
    await scene.close();
    scene = await openScene();
    const bob = await open('bob');
    for (let count = 0; count < 3; count += 1) {
      bob.create([{ type: 'frame' }]);
      await bob.whenCommitted();
    }
    const back = await open('ada', options);
    assert.deepEqual([back.state().version, back.children(null).length, faults], [3, 3, ['history']]);
    assert.deepEqual(
      back.recovered().map(({ reason, operation }) => [reason, operation.targetIds]),
      [['history-replaced', ids]],
    );
    assert.equal(back.reapply(back.recovered().map(({ id }) => id)).reapplied.length, 1);
    assert.equal(await back.whenCommitted(), true);
    assert.deepEqual([back.children(null).length, back.recovered()], [5, []]);
  });
});
