/** The document as it was when it was looked at last, so that it is there at once the next time. One tab keeps it for all. */
import { apply } from '../../../../domain/editor/reducer/apply';
import { nodeFromJson, nodeToJson } from '../../../../domain/editor/scene/node-json';
import { emptyScene, getNode, type Scene, type SceneNode, setNode } from '../../../../domain/editor/scene/scene';
import { type DocumentStore, type VersionStamp, versionStamp } from '../ports/document-store';
import type { Locks, Release } from '../ports/locks';
import type { Platform } from '../ports/platform';
import type { OperationTracker } from '../replica/operation-tracker';
import { committedNodes } from '../replica/replica';

export interface CachedScene extends VersionStamp {
  readonly scene: Scene;
}

/** Nothing where there is nothing, or only parts of it. */
export const readCachedScene = async (store: DocumentStore): Promise<CachedScene | undefined> => {
  const kept = await store.scene();
  if (kept === undefined) return undefined;
  const scene = emptyScene();
  for await (const chunk of kept.chunks) loadChunk(scene, chunk);
  if (!hasAllParents(scene)) return undefined;
  let { version, opId } = kept;
  for (const { fromVersion, operations } of kept.frames) {
    // After what is missing nothing is of use.
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
  /** Another scene is there, not by operations. */
  readonly onReplaced: () => void;
  /** So many operations were committed. */
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

/** `isRead`: what is shown was read from there, and goes on from it. */
export const openSceneCache = (options: SceneCacheOptions, isRead: boolean): SceneCache => {
  const { tracker, store, locks, platform, failed } = options;
  const closing = new AbortController();
  let release: Release | undefined;
  let tail = 0;
  let cancel: (() => void) | undefined;
  let isWriting = false;
  const pause = (): Promise<void> => new Promise((resolve) => void platform.later(0, resolve));
  const save = async (): Promise<void> => {
    cancel = undefined;
    if (!tracker.keepsFrames || closing.signal.aborted) return;
    // What is being written may be of before the document was replaced.
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
    cancel ??= platform.later(idleMilliseconds, () => void save());
  };
  const keepFrom = (given: Release | undefined, isCurrent: boolean): void => {
    if (given === undefined) return;
    release = given;
    if (closing.signal.aborted) given();
    tracker.keepsFrames = true;
    // What was committed before is not in what another tab kept, or may not be.
    if (!isCurrent) saveSoon();
  };
  const claim = async (): Promise<void> => {
    const now = await locks.take('scene');
    if (now !== undefined) keepFrom(now, isRead || tracker.replica.version === 0);
    else keepFrom(await locks.wait('scene', closing.signal), false);
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

/** Scenes as they are kept here: chunks of nodes, written and read with pauses between, so that nothing else waits for long. */

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

/** Whether every node's parent is there: a scene of which a part got lost is none. */
const hasAllParents = (scene: Scene): boolean => {
  for (const parentId of scene.children.keys())
    if (parentId !== null && getNode(scene, parentId) === undefined) return false;
  return true;
};
