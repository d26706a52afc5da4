/** Stores the committed scene, so that the document opens at once the next time. One tab stores it for all. */
import { apply } from '../../../../domain/editor/reducer/apply';
import { nodeFromJson, nodeToJson } from '../../../../domain/editor/scene/nodes/node-json';
import { emptyScene, getNode, type Scene, type SceneNode, setNode } from '../../../../domain/editor/scene/scene';
import { type DocumentStore, type VersionStamp, versionStamp } from '../ports/document-store';
import type { Locks, Release } from '../ports/locks';
import type { Platform } from '../ports/platform';
import type { OperationTracker } from '../replica/operation-tracker';
import { committedNodes } from '../replica/replica';

export interface CachedScene extends VersionStamp {
  readonly scene: Scene;
}

/** Undefined if there is no scene or a part of it is missing. */
export const readCachedScene = async (store: DocumentStore): Promise<CachedScene | undefined> => {
  const stored = await store.scene();
  if (stored === undefined) return undefined;
  const scene = emptyScene();
  for await (const chunk of stored.chunks) loadChunk(scene, chunk);
  if (!hasAllParents(scene)) return undefined;
  let { version, opId } = stored;
  for (const { fromVersion, operations } of stored.frames) {
    // Later frames are useless after a gap.
    if (fromVersion > version + 1) break;
    for (const operation of operations.slice(version + 1 - fromVersion)) {
      version += 1;
      opId = operation.opId;
      apply(scene, operation, version);
    }
  }
  return version === 0 ? undefined : { scene, ...versionStamp(version, opId) };
};

export interface SceneCache {
  /** The scene was replaced, by a snapshot or a reset. */
  readonly onReplaced: () => void;
  /** Operations were committed. */
  readonly onCommitted: (operations: number) => void;
  readonly close: () => void;
}

export interface SceneCacheOptions {
  readonly tracker: OperationTracker;
  readonly store: DocumentStore;
  readonly locks: Locks;
  readonly platform: Platform;
  readonly failed: (error: unknown) => void;
}

const maxTailOperations = 5_000;
const idleMilliseconds = 2_000;

/** `isRead`: the current scene was loaded from this cache. */
export const openSceneCache = (options: SceneCacheOptions, isRead: boolean): SceneCache => {
  const { tracker, store, locks, platform, failed } = options;
  const closing = new AbortController();
  let release: Release | undefined;
  let tail = 0;
  let cancel: (() => void) | undefined;
  let isWriting = false;
  const pause = (): Promise<void> => new Promise((resolve) => void platform.schedule(0, resolve));
  const save = async (): Promise<void> => {
    cancel = undefined;
    if (!tracker.keepsFrames || closing.signal.aborted) return;
    // The write in progress may contain the previous scene.
    if (isWriting) return saveSoon();
    isWriting = true;
    const { version, opId } = tracker.replica;
    tail = 0;
    await store
      .replaceScene(versionStamp(version, opId), serializeChunks(committedNodes(tracker.replica), pause))
      .catch(failed);
    isWriting = false;
  };
  const saveSoon = (): void => {
    cancel ??= platform.schedule(idleMilliseconds, () => void save());
  };
  const keepFrom = (acquired: Release | undefined, isCurrent: boolean): void => {
    if (acquired === undefined) return;
    release = acquired;
    if (closing.signal.aborted) acquired();
    tracker.keepsFrames = true;
    // Another tab's cache may lack what was committed meanwhile.
    if (!isCurrent) saveSoon();
  };
  const claim = async (): Promise<void> => {
    const now = await locks.tryAcquire('scene');
    if (now !== undefined) keepFrom(now, isRead || tracker.replica.version === 0);
    else keepFrom(await locks.acquire('scene', closing.signal), false);
  };
  claim().catch(failed);
  return {
    onReplaced: saveSoon,
    onCommitted: (operations) => {
      tail += operations;
      if (tail > maxTailOperations) saveSoon();
    },
    close: () => {
      closing.abort();
      cancel?.();
      release?.();
    },
  };
};

/** Chunks of nodes, written and read with pauses, so that the page stays responsive. */

const nodesPerChunk = 1_000;

async function* serializeChunks(nodes: readonly SceneNode[], pause: () => Promise<void>): AsyncGenerator<string> {
  for (let start = 0; start < nodes.length; start += nodesPerChunk) {
    yield JSON.stringify(nodes.slice(start, start + nodesPerChunk).map(nodeToJson));
    await pause();
  }
}

const loadChunk = (scene: Scene, chunk: string): void => {
  for (const stored of JSON.parse(chunk) as readonly unknown[]) {
    const node = nodeFromJson(stored);
    if (node !== undefined) setNode(scene, node.id, node);
  }
};

/** Whether every parent exists; a scene with missing chunks is unusable. */
const hasAllParents = (scene: Scene): boolean => {
  for (const parentId of scene.children.keys())
    if (parentId !== null && getNode(scene, parentId) === undefined) return false;
  return true;
};
