/** Short ways to write operations, and clients that send them. */
import type { ClientId, NodeId } from '../../../domain/editor/ids';
import type { NewNode, Operation, OperationType } from '../../../domain/editor/operation';
import type { Outcome } from '../../../domain/editor/outcome';
import { type BatchResult, runBatch } from '../../../domain/editor/reducer/batch';
import type { ResolveContext } from '../../../domain/editor/reducer/resolve';
import { canonicalScene } from '../../../domain/editor/scene/canonical-scene';
import { emptyScene, getNode, type Scene, type SceneNode } from '../../../domain/editor/scene/scene';

export const ann = 'annannanna' as ClientId;
export const bob = 'bobbobbobb' as ClientId;

export const idOf = (number: number, client: ClientId = ann): NodeId => `${client}:${number}` as NodeId;

let operationCount = 0;

type More = Partial<Pick<Operation, 'baseVersion' | 'targetIds' | 'inverseOf' | 'atomicGroup' | 'opId'>>;

export const operation = (type: OperationType, payload: unknown, more: More = {}): Operation => {
  operationCount += 1;
  return {
    opId: `op-${operationCount}` as Operation['opId'],
    documentId: 'a' as Operation['documentId'],
    actorId: 'whoever',
    clientSeq: operationCount,
    baseVersion: Number.MAX_SAFE_INTEGER,
    type,
    targetIds: [],
    payload,
    createdAt: '2026-01-31T12:00:00.000Z' as Operation['createdAt'],
    ...more,
  };
};

export const newNode = (number: number, more: { [name: string]: unknown } = {}): NewNode =>
  ({ id: idOf(number), type: 'rect', parentId: null, orderKey: `a${number}`, properties: {}, ...more }) as NewNode;

export const create = (...nodes: readonly NewNode[]): Operation => operation('createNode', { nodes });
export const set = (id: NodeId, properties: object, more: More = {}): Operation =>
  operation('setProperties', { nodes: { [id]: { set: properties } } }, more);
export const move = (id: NodeId, parentId: NodeId | null, more: object = {}, rest: More = {}): Operation =>
  operation('moveChild', { moves: [{ id, parentId, orderKey: 'a0', ...more }] }, rest);
export const transform = (id: NodeId, matrix: readonly number[], more: More = {}): Operation =>
  operation('transformNodes', { transforms: { [id]: matrix } }, more);
export const remove = (...targetIds: readonly NodeId[]): Operation =>
  operation('deleteNode', {}, { targetIds: [...targetIds] });
export const typed = (id: NodeId, update: string): Operation =>
  operation('textOperation', { update }, { targetIds: [id] });

export interface Replica {
  readonly scene: Scene;
  version: number;
}

export const emptyReplica = (): Replica => ({ scene: emptyScene(), version: 0 });

export const contextOf = (version: number, clientId: ClientId = ann): ResolveContext => ({
  actorId: `of-${clientId}`,
  clientId,
  version,
  schema: 2,
});

export const runAs = (at: Replica, clientId: ClientId, operations: readonly Operation[]): BatchResult => {
  const result = runBatch(at.scene, operations, contextOf(at.version + 1, clientId));
  at.version += result.committed.length;
  return result;
};

export const run = (at: Replica, ...operations: readonly Operation[]): readonly Outcome[] =>
  runAs(at, ann, operations).outcomes;

/** `applied`, `rejected cycle`. */
export const outcomesOf = (outcomes: readonly Outcome[]): readonly string[] =>
  outcomes.map(({ status, reason }) => (reason === undefined ? status : `${status} ${reason}`));

export const nodeAt = ({ scene }: Replica, number: number, client: ClientId = ann): SceneNode | undefined =>
  getNode(scene, idOf(number, client));

export const canonicalOf = (scene: Scene): readonly string[] => [...canonicalScene(scene)];
