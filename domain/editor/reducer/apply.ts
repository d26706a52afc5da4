/** Applies committed operations without rules. Nodes that are missing are skipped. */
import type { NodeId, OrderKey } from '../ids';
import { type NewNode, type Operation, StoredNodeType } from '../operation';
import { isRecord, type JsonRecord } from '../scene/json';
import { buildNode, moveNode } from '../scene/nodes/node';
import { applyPatch } from '../scene/nodes/properties';
import { getNode, type Scene, type SceneNode } from '../scene/scene';
import { emptyText, mergeCommitted } from '../text/text-state';
import { type BeforeImage, type RollbackJournal, setNodeJournaled } from './rollback-journal';

export { rollBack } from './rollback-journal';

interface Application {
  readonly scene: Scene;
  readonly journal: BeforeImage[];
  readonly version: number;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

const changeNode = (applied: Application, id: string, next: (node: SceneNode) => SceneNode): void => {
  const node = getNode(applied.scene, id as NodeId);
  if (node === undefined) return;
  setNodeJournaled(applied.scene, applied.journal, { id: node.id, node: next(node) });
};

const isNewNode = (value: unknown): value is NewNode =>
  isRecord(value) &&
  typeof value.id === 'string' &&
  StoredNodeType.is(value.type) &&
  typeof value.orderKey === 'string';

const reorder = (applied: Application, payload: JsonRecord): void => {
  for (const [id, orderKey] of Object.entries(recordOf(payload.reordered)))
    if (typeof orderKey === 'string')
      changeNode(applied, id, (node) => ({ ...node, orderKey: orderKey as OrderKey, revision: applied.version }));
};

const create = (applied: Application, payload: JsonRecord): void => {
  reorder(applied, payload);
  for (const made of listOf(payload.nodes))
    if (isNewNode(made))
      setNodeJournaled(applied.scene, applied.journal, { id: made.id, node: buildNode(made, applied.version) });
};

const move = (applied: Application, payload: JsonRecord): void => {
  reorder(applied, payload);
  for (const moved of listOf(payload.moves))
    if (isRecord(moved) && typeof moved.id === 'string')
      changeNode(applied, moved.id, (node) => moveNode(node, moved, applied.version));
};

const remove = (applied: Application, payload: JsonRecord): void => {
  move(applied, payload);
  for (const id of listOf(payload.deleted)) {
    const node = typeof id === 'string' ? getNode(applied.scene, id as NodeId) : undefined;
    if (node !== undefined) setNodeJournaled(applied.scene, applied.journal, { id: node.id, node: undefined });
  }
};

const patchNode = (applied: Application, id: string, patch: JsonRecord): void =>
  changeNode(applied, id, (node) => ({
    ...node,
    properties: applyPatch(node.properties, patch),
    revision: applied.version,
  }));

const set = (applied: Application, payload: JsonRecord, targets: readonly NodeId[]): void => {
  if (payload.set !== undefined || payload.unset !== undefined)
    for (const id of targets) patchNode(applied, id, payload);
  for (const [id, own] of Object.entries(recordOf(payload.nodes))) patchNode(applied, id, recordOf(own));
};

const transform = (applied: Application, payload: JsonRecord): void => {
  for (const [id, matrix] of Object.entries(recordOf(payload.transforms)))
    changeNode(applied, id, (node) => ({
      ...node,
      properties: { ...node.properties, transform: matrix },
      revision: applied.version,
    }));
};

const mergeText = (applied: Application, payload: JsonRecord, targets: readonly NodeId[]): void => {
  const { update } = payload;
  if (typeof update !== 'string') return;
  for (const id of targets)
    changeNode(applied, id, (node) => ({
      ...node,
      text: mergeCommitted(node.text ?? emptyText, update),
      revision: applied.version,
    }));
};

/** `restoreVersion` changes nothing here: the caller loads the scene from object storage. */
export const apply = (scene: Scene, committed: Operation, version: number): RollbackJournal => {
  const applied: Application = { scene, journal: [], version };
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
      mergeText(applied, payload, committed.targetIds);
      break;
    case 'restoreVersion':
      break;
  }
  return applied.journal;
};
