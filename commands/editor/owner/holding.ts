/** The documents of this process, and how it parts with one. */

import type { Either } from 'fp-ts/Either';
import { sizeOf } from '../../../domain/editor/scene/scene';
import type { OwnerDeps } from './deps';
import { letGoOf } from './letting-go';
import type { Owned } from './owned';
import type { EndReason, OpenDocument, OpenRefusal } from './types';

export interface Held {
  readonly owned: Owned;
  readonly document: OpenDocument;
  /** It is being let go: whoever comes waits for that. */
  leaving: Promise<void> | undefined;
}

export type Opened = Either<OpenRefusal, Held>;

export interface All {
  readonly deps: OwnerDeps;
  readonly held: Map<string, Held>;
  readonly opening: Map<string, Promise<Opened>>;
  /** The highest epoch that was heard of while a document is being opened. */
  readonly heard: Map<string, number>;
  /** Not tried before this: each try is an event. */
  readonly failed: Map<string, { readonly until: number; readonly pause: number }>;
  readonly end: AbortController;
}

export const leave = (all: All, name: string, reason: EndReason): Promise<void> => {
  const held = all.held.get(name);
  if (held === undefined) return Promise.resolve();
  held.leaving ??= letGoOf(held.owned, reason);
  return held.leaving;
};

export const isIdle = ({ owned, leaving }: Held, milliseconds: number): boolean =>
  leaving === undefined &&
  owned.listeners.size === 0 &&
  owned.waiting.length === 0 &&
  performance.now() - owned.usedAt >= milliseconds;

/** A node that holds as much as is usual counts once; with `bytesOfNode` in memory this is in it. */
const usualBytes = 400;

export const nodesOf = ({ held }: All): number => {
  let nodes = 0;
  for (const { owned } of held.values()) {
    const { scene } = owned.content;
    nodes += Math.max(sizeOf(scene), Math.ceil(scene.bytes / usualBytes));
  }
  return nodes;
};

/** What nobody has looked at for the longest time goes first. */
export const hasRoom = (all: All): boolean => {
  const { mostDocuments, mostNodes } = all.deps.settings;
  if (all.held.size + all.opening.size < mostDocuments && nodesOf(all) < mostNodes) return true;
  const idle = [...all.held].filter(([, held]) => isIdle(held, 0));
  const [oldest] = idle.toSorted(([, one], [, other]) => one.owned.usedAt - other.owned.usedAt);
  if (oldest === undefined) return false;
  void leave(all, oldest[0], 'unloaded');
  return true;
};
