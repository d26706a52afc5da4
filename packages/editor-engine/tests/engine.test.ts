import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type DocumentId,
  type DocumentStore,
  defaultPlatform,
  type Engine,
  openEngine,
  openMemoryStore,
  type Transport,
} from '../src/index';
import { openFileStore } from '../src/node';

interface Sent {
  readonly type: string;
  readonly clientSeq: number;
  readonly operations: readonly { readonly opId: string }[];
}

/** An owner that commits whatever is sent, as it is sent. */
const owner = () => {
  let version = 0;
  const transport = (isUp: boolean): Transport => ({
    fetch: async () => new Uint8Array(),
    open: (documentId, { onOpen, onMessage, onClose }) => {
      setTimeout(() => (isUp ? onOpen() : onClose({ code: 0, reason: '' })), 1);
      const send = (message: object): void => void setTimeout(() => onMessage(JSON.stringify(message)), 1);
      const receive = ({ type, clientSeq, operations }: Sent): void => {
        const joined = { documentId, clientId: 'c000000001', connectionId: 'n', role: 'editor', title: '' };
        if (type === 'join')
          send({ type: 'joined', ...joined, committedVersion: version, lastClientSeq: 0, schemaVersion: 1 });
        if (type !== 'operations') return;
        const fromVersion = version + 1;
        version += operations.length;
        send({ type: 'operations', fromVersion, toVersion: version, operations });
        const opIds = operations.map(({ opId }) => opId);
        send({ type: 'ack', clientSeq, committedVersion: version, opIds, results: [] });
      };
      return { send: (text) => receive(JSON.parse(text) as Sent), close: () => undefined };
    },
  });
  return { transport };
};

const saved = (engine: Engine): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => (engine.state().kind === 'saved' ? resolve() : undefined);
    engine.on(look);
    look();
  });

describe('the engine, as a library', () => {
  const home = mkdtempSync(join(tmpdir(), 'editor-engine-'));
  after(() => rmSync(home, { recursive: true, force: true }));
  const document = { documentId: 'd-1' as DocumentId, userId: 'ann', platform: defaultPlatform() };

  const memory = openMemoryStore();
  for (const [kind, openStore] of [
    ['memory', async () => memory],
    ['files', () => openFileStore(home)],
  ] as readonly (readonly [string, () => Promise<DocumentStore>])[])
    it(`saves edits, and keeps what is made without a connection, in ${kind}`, async () => {
      const { transport } = owner();
      const online = await openEngine({ ...document, transport: transport(true), store: await openStore() });
      await saved(online);
      const [id] = online.create([{ type: 'text', text: 'abc' }]).ids;
      assert.ok(id);
      await saved(online);
      assert.equal(online.text(id), 'abc');
      await online.close();
      const offline = await openEngine({ ...document, transport: transport(false), store: await openStore() });
      offline.create([{ type: 'rect' }]);
      assert.equal(offline.state().pending, 1);
      await offline.whenStored();
      await offline.close();
    });
});
