/** The document as it was when it was looked at last, so that it is there at once the next time. One tab keeps it for all. */
import { apply } from '../../../../domain/editor/scene/apply';
import { emptyScene, type Scene } from '../../../../domain/editor/scene/scene';
import type { Ledger } from '../ledger';
import type { Locks, Release } from '../ports/locks';
import type { Platform } from '../ports/platform';
import { type DocumentStore, type Mark, markOf } from '../ports/store';
import { committedNodes } from '../scene/replica';
import { chunksOf, isWhole, readChunk } from './scene-chunks';

export interface Cached extends Mark {
  readonly scene: Scene;
}

/** Nothing where there is nothing, or only parts of it. */
export const readCache = async (store: DocumentStore): Promise<Cached | undefined> => {
  const kept = await store.scene();
  if (kept === undefined) return undefined;
  const scene = emptyScene();
  for await (const chunk of kept.chunks) readChunk(scene, chunk);
  if (!isWhole(scene)) return undefined;
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
  return version === 0 ? undefined : { scene, ...markOf(version, opId) };
};

export interface Cache {
  /** Another scene is there, not by operations. */
  readonly replaced: () => void;
  /** So many operations were committed. */
  readonly grew: (operations: number) => void;
  readonly close: () => void;
}

export interface CacheOptions {
  readonly ledger: Ledger;
  readonly store: DocumentStore;
  readonly locks: Locks;
  readonly platform: Platform;
  readonly failed: (error: unknown) => void;
}

const longestTail = 5_000;
const idleMilliseconds = 2_000;

/** `isRead`: what is shown was read from there, and goes on from it. */
export const openCache = (options: CacheOptions, isRead: boolean): Cache => {
  const { ledger, store, locks, platform, failed } = options;
  const closing = new AbortController();
  let release: Release | undefined;
  let tail = 0;
  let cancel: (() => void) | undefined;
  let isWriting = false;
  const pause = (): Promise<void> => new Promise((resolve) => void platform.later(0, resolve));
  const save = async (): Promise<void> => {
    cancel = undefined;
    if (!ledger.keepsFrames || closing.signal.aborted) return;
    // What is being written may be of before the document was replaced.
    if (isWriting) return saveSoon();
    isWriting = true;
    const { version, opId } = ledger.replica;
    tail = 0;
    await store.replaceScene(markOf(version, opId), chunksOf(committedNodes(ledger.replica), pause)).catch(failed);
    isWriting = false;
  };
  const saveSoon = (): void => {
    cancel ??= platform.later(idleMilliseconds, () => void save());
  };
  const keepFrom = (given: Release | undefined, isCurrent: boolean): void => {
    if (given === undefined) return;
    release = given;
    if (closing.signal.aborted) given();
    ledger.keepsFrames = true;
    // What was committed before is not in what another tab kept, or may not be.
    if (!isCurrent) saveSoon();
  };
  const claim = async (): Promise<void> => {
    const now = await locks.take('scene');
    if (now !== undefined) keepFrom(now, isRead || ledger.replica.version === 0);
    else keepFrom(await locks.wait('scene', closing.signal), false);
  };
  claim().catch(failed);
  return {
    replaced: saveSoon,
    grew: (operations) => {
      tail += operations;
      if (tail > longestTail) saveSoon();
    },
    close: () => {
      closing.abort();
      cancel?.();
      release?.();
    },
  };
};
