/** Resolves `createNode`: all nodes or none, because they may be each other's parents. */
import { checkComponentLink, isRenderedWithin } from '../components/component-links';
import { NodeId, OrderKey } from '../ids';
import { limits } from '../limits';
import { type NewNode, NodeType, type Operation, StoredNodeType, Transform } from '../operation';
import type { OutcomeReason } from '../outcome';
import { convertTransform, localTransform, worldTransform } from '../scene/coordinate-space';
import { isRecord, type JsonFault, type JsonRecord } from '../scene/json';
import { buildNode } from '../scene/nodes/node';
import { decodeProperties } from '../scene/nodes/properties';
import { countNodes, getNode, instancesOf, type Scene } from '../scene/scene';
import { depthOf } from '../scene/tree';
import { budgetFault, fullBudget } from '../scene/work-budget';
import { textFromPlain } from '../text/text-content';
import { emptyText, mergeText, textBase64 } from '../text/text-state';
import {
  allocateOrderKey,
  applyReorder,
  currentOrderKey,
  type ReorderState,
  reorderedKeys,
} from './order-key-allocation';
import { dropped, type Resolution, type ResolveContext, rejected, resolvedAs } from './resolution';
import { rollBack, setNodeJournaled } from './rollback-journal';

interface CreateState extends ReorderState {
  readonly context: ResolveContext;
  readonly isInverse: boolean;
  /** For an inverse: foreign ids that it may create; undefined for all. */
  readonly restorable: ReadonlySet<NodeId> | undefined;
  readonly created: NewNode[];
  /** Deviations from the request: deleted parent, taken key, existing node. */
  readonly reasons: Set<OutcomeReason>;
}

/** Moves the node to its nearest existing ancestor and keeps its position on the canvas. */
const withLivingParent = (creating: CreateState, node: NewNode): NewNode => {
  const { scene } = creating;
  const { ancestors = [], space, ...rest } = node;
  if (node.parentId === null || getNode(scene, node.parentId) !== undefined) return rest;
  creating.reasons.add('parent-deleted');
  const parentId = ancestors.find((id) => getNode(scene, id) !== undefined) ?? null;
  if (space === undefined) return { ...rest, parentId };
  const transform = convertTransform(localTransform(buildNode(rest, 0)), space, worldTransform(scene, parentId));
  return { ...rest, parentId, properties: { ...rest.properties, transform } };
};

const isForeign = ({ context, restorable }: CreateState, id: NodeId): boolean =>
  restorable !== undefined && !restorable.has(id) && !id.startsWith(`${context.clientId}:`);

const restorableIds = ({ inverseOf }: Operation, { restorable }: ResolveContext): ReadonlySet<NodeId> | undefined => {
  if (inverseOf === undefined) return new Set();
  return restorable === undefined ? undefined : new Set(restorable(inverseOf));
};

const checkInstances = ({ scene, budget }: CreateState, id: NodeId): OutcomeReason | undefined => {
  const [instance] = instancesOf(scene, id);
  return instance !== undefined && isRenderedWithin(scene, { start: id, goal: id }, budget)
    ? 'component-cycle'
    : undefined;
};

const insertNode = (creating: CreateState, node: NewNode): OutcomeReason | undefined => {
  const { scene, journal, context } = creating;
  if (depthOf(scene, node.parentId) >= limits.depth) return 'too-deep';
  const placed = allocateOrderKey(scene, node.parentId, node);
  if (placed === undefined) return 'order-key-taken';
  if (placed.orderKey !== node.orderKey) creating.reasons.add('order-key-taken');
  if (!applyReorder(creating, placed)) return 'too-large';
  const { instanceOf, ...properties } = node.properties;
  const bare = buildNode({ ...node, properties }, context.version);
  const whole = { ...bare, orderKey: placed.orderKey, properties: node.properties };
  setNodeJournaled(scene, journal, { id: node.id, node: { ...bare, orderKey: placed.orderKey } });
  const fault = checkComponentLink(scene, bare, { properties: node.properties, budget: creating.budget });
  if (instanceOf !== undefined) setNodeJournaled(scene, journal, { id: node.id, node: whole });
  creating.created.push(node);
  return fault ?? checkInstances(creating, node.id) ?? budgetFault(creating);
};

const createOne = (creating: CreateState, request: NewNode): OutcomeReason | undefined => {
  if (getNode(creating.scene, request.id) !== undefined) {
    creating.reasons.add('id-taken');
    return creating.isInverse ? undefined : 'id-taken';
  }
  if (isForeign(creating, request.id)) {
    creating.reasons.add('id-foreign');
    return creating.isInverse ? undefined : 'id-foreign';
  }
  if (countNodes(creating.scene) >= limits.nodes) return 'too-many-nodes';
  const initial = resolveInitialText(request);
  return initial.kind === 'refused' ? initial.reason : insertNode(creating, withLivingParent(creating, initial.node));
};

const resolvedCreate = (creating: CreateState, operation: Operation): Operation => {
  const nodes = creating.created.map((node) => ({
    ...node,
    orderKey: currentOrderKey(creating.scene, node.id, node.orderKey),
  }));
  const targetIds = nodes.map(({ id }) => id);
  return { ...operation, targetIds, payload: { nodes, ...reorderedKeys(creating, new Set(targetIds)) } };
};

export const resolveCreate = (scene: Scene, operation: Operation, context: ResolveContext): Resolution => {
  const requests = decodeNewNodes(operation.payload);
  if (typeof requests === 'string') return rejected(requests);
  const creating: CreateState = {
    scene,
    context,
    journal: [],
    reordered: new Set<NodeId>(),
    created: [],
    reasons: new Set<OutcomeReason>(),
    budget: fullBudget(),
    isInverse: operation.inverseOf !== undefined,
    restorable: restorableIds(operation, context),
  };
  let fault: OutcomeReason | undefined;
  for (const node of requests) fault ??= createOne(creating, node);
  const resolved = resolvedCreate(creating, operation);
  rollBack(scene, creating.journal);
  if (fault !== undefined) return rejected(fault);
  if (creating.created.length === 0 && creating.reasons.has('id-foreign')) return rejected('id-foreign');
  if (creating.created.length === 0) return dropped(requests.length > 0 ? 'id-taken' : 'nothing-changes');
  return resolvedAs(resolved, [...creating.reasons]);
};

type NodeFault = JsonFault | 'schema-too-old';

interface NodeRequest extends NewNode {
  readonly properties: JsonRecord;
}

const isParent = (value: unknown): value is NodeId | null => value === null || NodeId.is(value);

const decodeOptionalFields = (value: JsonRecord): Pick<NewNode, 'text' | 'ancestors' | 'space'> | undefined => {
  const { text, ancestors, space } = value;
  if (text !== undefined && (typeof text !== 'string' || text.length > limits.textState)) return undefined;
  if (space !== undefined && !Transform.is(space)) return undefined;
  const isPath = Array.isArray(ancestors) && ancestors.length <= limits.depth && ancestors.every(NodeId.is);
  if (ancestors !== undefined && !isPath) return undefined;
  return {
    ...(text === undefined ? {} : { text }),
    ...(isPath ? { ancestors } : {}),
    ...(space === undefined ? {} : { space }),
  };
};

const decodeNode = (value: unknown): NodeRequest | NodeFault => {
  if (!isRecord(value)) return 'malformed';
  const { id, type, parentId, orderKey } = value;
  if (!NodeId.is(id) || !StoredNodeType.is(type) || !isParent(parentId) || !OrderKey.is(orderKey)) return 'malformed';
  // A newer schema version may have the type.
  if (!NodeType.is(type)) return 'schema-too-old';
  const properties = decodeProperties(value.properties);
  if (typeof properties === 'string') return properties;
  const rest = decodeOptionalFields(value);
  return rest === undefined ? 'malformed' : { id, type, parentId, orderKey, properties, ...rest };
};

const decodeNewNodes = (payload: unknown): readonly NodeRequest[] | NodeFault => {
  if (!isRecord(payload) || !Array.isArray(payload.nodes)) return 'malformed';
  if (payload.nodes.length > limits.targets) return 'too-large';
  const nodes: NodeRequest[] = [];
  for (const value of payload.nodes) {
    const node = decodeNode(value);
    if (typeof node === 'string') return node;
    nodes.push(node);
  }
  return nodes;
};

/** Resolves the initial text of a new node: a Yjs state, or plain text from callers without an editor. */

export type InitialText =
  | { readonly kind: 'resolved'; readonly node: NewNode }
  | { readonly kind: 'refused'; readonly reason: OutcomeReason };

const refused = (reason: OutcomeReason): InitialText => ({ kind: 'refused', reason });

const fromPlain = (node: NewNode): InitialText => {
  const { text: plain, ...properties } = node.properties;
  if (typeof plain !== 'string') return refused('text-malformed');
  if (plain.length > limits.textLength) return refused('too-large');
  return { kind: 'resolved', node: { ...node, properties, text: textBase64(textFromPlain(plain)) } };
};

const fromState = (node: NewNode, state: string): InitialText => {
  const { text, ...rest } = node;
  if (state === '') return { kind: 'resolved', node: rest };
  const merged = mergeText(emptyText, state);
  const isEmpty = merged.kind === 'refused' && merged.reason === 'nothing-changes';
  if (merged.kind === 'refused' && !isEmpty) return refused(merged.reason);
  return { kind: 'resolved', node: isEmpty ? rest : { ...rest, text: state } };
};

const resolveInitialText = (node: NewNode): InitialText => {
  const hasPlain = Object.hasOwn(node.properties, 'text');
  if (node.type !== 'text') return node.text === undefined ? { kind: 'resolved', node } : refused('not-text');
  if (node.text !== undefined) return hasPlain ? refused('text-has-structure') : fromState(node, node.text);
  return hasPlain ? fromPlain(node) : { kind: 'resolved', node };
};
