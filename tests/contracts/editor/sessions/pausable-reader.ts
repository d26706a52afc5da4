/** A client that receives a document's messages, and can stop reading. */
import assert from 'node:assert/strict';
import { apply } from '../../../../domain/editor/reducer/apply';
import { emptyScene, type Scene } from '../../../../domain/editor/scene/scene';
import { snapshotLoader } from '../../../../packages/editor-engine/src/sync/snapshot-loader';
import type { MessageOf, Person } from '../../../editor/sessions/fixture';

export interface PausableReader {
  readonly pause: () => void;
  readonly resume: () => void;
  /** Resolves when that version was received. */
  readonly until: (version: number) => Promise<Scene>;
  readonly version: () => number;
  /** That came over the socket. */
  readonly bytes: () => number;
  readonly leave: () => void;
}

interface State {
  scene: Scene;
  version: number;
  bytes: number;
}

const load = snapshotLoader(() => Promise.reject(new Error('Everything was told.')));

const takeSnapshot = async (state: State, message: MessageOf<'snapshot'>): Promise<void> => {
  const scene = emptyScene();
  await load(message, scene, new AbortController().signal);
  Object.assign(state, { scene, version: message.snapshot.version });
};

/** In order, and nothing left out. */
const takeFrame = (state: State, { fromVersion, operations }: MessageOf<'operations'>): void => {
  assert.ok(fromVersion <= state.version + 1, `${fromVersion} came after ${state.version}`);
  for (const operation of operations.slice(state.version + 1 - fromVersion)) {
    state.version += 1;
    apply(state.scene, operation, state.version);
  }
};

export const openPausableReader = async ({ client, join, next }: Person): Promise<PausableReader> => {
  const state: State = { scene: emptyScene(), version: 0, bytes: 0 };
  client.socket.on('message', (bytes: Buffer) => {
    state.bytes += bytes.length;
  });
  await join();
  return {
    pause: () => client.socket.pause(),
    resume: () => client.socket.resume(),
    until: async (version) => {
      while (state.version < version) {
        const message = await next();
        if (message.type === 'snapshot') await takeSnapshot(state, message);
        else if (message.type === 'operations') takeFrame(state, message);
        else if (message.type === 'rebaseRequired') Object.assign(state, { scene: emptyScene(), version: 0 });
      }
      return state.scene;
    },
    version: () => state.version,
    bytes: () => state.bytes,
    leave: () => client.socket.terminate(),
  };
};
