/** New nodes, all or nothing: they may lie in each other. */

import { isShownWithin } from '../../components/cycle';
import type { NodeId } from '../../ids';
import { limits } from '../../limits';
import type { NewNode, Operation } from '../../operation';
import type { OutcomeReason } from '../../outcome';
import { effortFault, fullEffort } from '../effort';
import { replace, takeBack } from '../journal';
import { madeOf } from '../made';
import { place } from '../place';
import { instancesOf, nodeOf, type Scene, sizeOf } from '../scene';
import { inOtherSpace, spaceOf, transformOf } from '../spaces';
import { depthOf } from '../tree';
import { done, dropped, type Resolution, type ResolveContext, rejected } from './context';
import { linkFault } from './links';
import { newText } from './new-text';
import { readNodes } from './read-nodes';
import { keyIn, makeRoom, type Room, reorderedIn } from './room';

interface Creating extends Room {
  readonly context: ResolveContext;
  readonly isInverse: boolean;
  /** Of an inverse: ids of other clients that it may create; undefined: all. */
  readonly restorable: ReadonlySet<NodeId> | undefined;
  readonly made: NewNode[];
  /** In another way than asked: the parent is gone, the key taken, some there already. */
  readonly reasons: Set<OutcomeReason>;
}

/** In the nearest that is left of what it was in, and seen where it was. */
const inLiving = (creating: Creating, node: NewNode): NewNode => {
  const { scene } = creating;
  const { ancestors = [], space, ...rest } = node;
  if (node.parentId === null || nodeOf(scene, node.parentId) !== undefined) return rest;
  creating.reasons.add('parent-deleted');
  const parentId = ancestors.find((id) => nodeOf(scene, id) !== undefined) ?? null;
  if (space === undefined) return { ...rest, parentId };
  const transform = inOtherSpace(transformOf(madeOf(rest, 0)), space, spaceOf(scene, parentId));
  return { ...rest, parentId, properties: { ...rest.properties, transform } };
};

const isForeign = ({ context, restorable }: Creating, id: NodeId): boolean =>
  restorable !== undefined && !restorable.has(id) && !id.startsWith(`${context.clientId}:`);

const restorableTo = ({ inverseOf }: Operation, { restorable }: ResolveContext): ReadonlySet<NodeId> | undefined => {
  if (inverseOf === undefined) return new Set();
  return restorable === undefined ? undefined : new Set(restorable(inverseOf));
};

const linksFault = ({ scene, effort }: Creating, id: NodeId): OutcomeReason | undefined => {
  const [instance] = instancesOf(scene, id);
  return instance !== undefined && isShownWithin(scene, { start: id, goal: id }, effort)
    ? 'component-cycle'
    : undefined;
};

const put = (creating: Creating, node: NewNode): OutcomeReason | undefined => {
  const { scene, journal, context } = creating;
  if (depthOf(scene, node.parentId) >= limits.depth) return 'too-deep';
  const placed = place(scene, node.parentId, node);
  if (placed === undefined) return 'order-key-taken';
  if (placed.orderKey !== node.orderKey) creating.reasons.add('order-key-taken');
  if (!makeRoom(creating, placed)) return 'too-large';
  const { instanceOf, ...properties } = node.properties;
  const bare = madeOf({ ...node, properties }, context.version);
  const whole = { ...bare, orderKey: placed.orderKey, properties: node.properties };
  replace(scene, journal, { id: node.id, node: { ...bare, orderKey: placed.orderKey } });
  const fault = linkFault(scene, bare, { properties: node.properties, effort: creating.effort });
  if (instanceOf !== undefined) replace(scene, journal, { id: node.id, node: whole });
  creating.made.push(node);
  return fault ?? linksFault(creating, node.id) ?? effortFault(creating);
};

const settle = (creating: Creating, asked: NewNode): OutcomeReason | undefined => {
  if (nodeOf(creating.scene, asked.id) !== undefined) {
    creating.reasons.add('id-taken');
    return creating.isInverse ? undefined : 'id-taken';
  }
  if (isForeign(creating, asked.id)) {
    creating.reasons.add('id-foreign');
    return creating.isInverse ? undefined : 'id-foreign';
  }
  if (sizeOf(creating.scene) >= limits.nodes) return 'too-many-nodes';
  const told = newText(asked);
  return told.kind === 'refused' ? told.reason : put(creating, inLiving(creating, told.node));
};

const settled = (creating: Creating, operation: Operation): Operation => {
  const nodes = creating.made.map((node) => ({ ...node, orderKey: keyIn(creating.scene, node.id, node.orderKey) }));
  const targetIds = nodes.map(({ id }) => id);
  return { ...operation, targetIds, payload: { nodes, ...reorderedIn(creating, new Set(targetIds)) } };
};

export const resolveCreate = (scene: Scene, operation: Operation, context: ResolveContext): Resolution => {
  const asked = readNodes(operation.payload);
  if (typeof asked === 'string') return rejected(asked);
  const creating: Creating = {
    ...{ scene, context, journal: [], reordered: new Set<NodeId>(), made: [], reasons: new Set<OutcomeReason>() },
    effort: fullEffort(),
    isInverse: operation.inverseOf !== undefined,
    restorable: restorableTo(operation, context),
  };
  let fault: OutcomeReason | undefined;
  for (const node of asked) fault ??= settle(creating, node);
  const resolved = settled(creating, operation);
  takeBack(scene, creating.journal);
  if (fault !== undefined) return rejected(fault);
  if (creating.made.length === 0 && creating.reasons.has('id-foreign')) return rejected('id-foreign');
  if (creating.made.length === 0) return dropped(asked.length > 0 ? 'id-taken' : 'nothing-changes');
  return done(resolved, [...creating.reasons]);
};
