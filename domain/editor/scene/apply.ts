/**
 * What was committed, done. There are no rules here, and nothing can be refused: what a recorded operation names and is not there is
 * left alone.
 */
import type { NodeId, OrderKey } from '../ids';
import { KeptNodeType, type NewNode, type Operation } from '../operation';
import { emptyText, mergeCommitted } from '../text/state';
import { type Journal, type Replaced, replace } from './journal';
import { madeOf, movedBy } from './made';
import { nodeOf, type Scene, type SceneNode } from './scene';
import { isRecord, type JsonRecord } from './values';
import { written } from './written';

export { takeBack } from './journal';

interface Applied {
  readonly scene: Scene;
  readonly journal: Replaced[];
  readonly version: number;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

const change = (applied: Applied, id: string, next: (node: SceneNode) => SceneNode): void => {
  const node = nodeOf(applied.scene, id as NodeId);
  if (node === undefined) return;
  replace(applied.scene, applied.journal, { id: node.id, node: next(node) });
};

const isNewNode = (value: unknown): value is NewNode =>
  isRecord(value) && typeof value.id === 'string' && KeptNodeType.is(value.type) && typeof value.orderKey === 'string';

const reorder = (applied: Applied, payload: JsonRecord): void => {
  for (const [id, orderKey] of Object.entries(recordOf(payload.reordered)))
    if (typeof orderKey === 'string')
      change(applied, id, (node) => ({ ...node, orderKey: orderKey as OrderKey, revision: applied.version }));
};

const create = (applied: Applied, payload: JsonRecord): void => {
  reorder(applied, payload);
  for (const made of listOf(payload.nodes))
    if (isNewNode(made)) replace(applied.scene, applied.journal, { id: made.id, node: madeOf(made, applied.version) });
};

const move = (applied: Applied, payload: JsonRecord): void => {
  reorder(applied, payload);
  for (const moved of listOf(payload.moves))
    if (isRecord(moved) && typeof moved.id === 'string')
      change(applied, moved.id, (node) => movedBy(node, moved, applied.version));
};

const remove = (applied: Applied, payload: JsonRecord): void => {
  move(applied, payload);
  for (const id of listOf(payload.deleted)) {
    const node = typeof id === 'string' ? nodeOf(applied.scene, id as NodeId) : undefined;
    if (node !== undefined) replace(applied.scene, applied.journal, { id: node.id, node: undefined });
  }
};

const writeTo = (applied: Applied, id: string, asked: JsonRecord): void =>
  change(applied, id, (node) => ({
    ...node,
    properties: written(node.properties, asked),
    revision: applied.version,
  }));

const set = (applied: Applied, payload: JsonRecord, targets: readonly NodeId[]): void => {
  if (payload.set !== undefined || payload.unset !== undefined) for (const id of targets) writeTo(applied, id, payload);
  for (const [id, own] of Object.entries(recordOf(payload.nodes))) writeTo(applied, id, recordOf(own));
};

const transform = (applied: Applied, payload: JsonRecord): void => {
  for (const [id, matrix] of Object.entries(recordOf(payload.transforms)))
    change(applied, id, (node) => ({
      ...node,
      properties: { ...node.properties, transform: matrix },
      revision: applied.version,
    }));
};

const typeIn = (applied: Applied, payload: JsonRecord, targets: readonly NodeId[]): void => {
  const { update } = payload;
  if (typeof update !== 'string') return;
  for (const id of targets)
    change(applied, id, (node) => ({
      ...node,
      text: mergeCommitted(node.text ?? emptyText, update),
      revision: applied.version,
    }));
};

/** `restoreVersion` leaves the scene to who applies it: what it becomes lies in object storage. */
export const apply = (scene: Scene, committed: Operation, version: number): Journal => {
  const applied: Applied = { scene, journal: [], version };
  const payload = recordOf(committed.payload);
  switch (committed.type) {
    case 'createNode':
      create(applied, payload);
      break;
    case 'deleteNode':
      remove(applied, payload);
      break;
    case 'setProperties':
      set(applied, payload, committed.targetIds);
      break;
    case 'transformNodes':
      transform(applied, payload);
      break;
    case 'moveChild':
      move(applied, payload);
      break;
    case 'textOperation':
      typeIn(applied, payload, committed.targetIds);
      break;
    case 'restoreVersion':
      break;
  }
  return applied.journal;
};
