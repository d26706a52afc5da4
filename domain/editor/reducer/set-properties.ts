/** Resolves `setProperties`: last writer wins per property. */

import { checkComponentLink } from '../components/component-links';
import { NodeId } from '../ids';
import { limits } from '../limits';
import { type Operation, Transform } from '../operation';
import type { OutcomeReason } from '../outcome';
import { rebaseTransform } from '../scene/coordinate-space';
import { isJsonEqual, isRecord, type JsonFault, type JsonRecord } from '../scene/json';
import { applyPatch, decodePatch, isEmptyPatch, matchesAnyPath, type NormalizedPatch } from '../scene/nodes/properties';
import { getNode, type Scene, type SceneNode } from '../scene/scene';
import { budgetFault, fullBudget, type WorkBudget } from '../scene/work-budget';
import {
  causalContextOf,
  droppedAsNoOp,
  partlyDeletedReason,
  type Resolution,
  type ResolveContext,
  rejected,
  resolvedAs,
} from './resolution';
import { type BeforeImage, rollBack, setNodeJournaled } from './rollback-journal';

interface SetState {
  readonly scene: Scene;
  readonly operation: Operation;
  readonly context: ResolveContext;
  readonly journal: BeforeImage[];
  readonly living: Set<NodeId>;
  /** Transforms that were converted from a previous parent's space. */
  readonly rebased: Map<NodeId, readonly number[]>;
  readonly budget: WorkBudget;
  hasChanges: boolean;
}

const countNewNames = (properties: JsonRecord, set: JsonRecord): number => {
  let count = 0;
  for (const name of Object.keys(set)) if (!Object.hasOwn(properties, name)) count += 1;
  return count;
};

const exceedsPropertyLimit = ({ properties }: SceneNode, { set }: NormalizedPatch): boolean => {
  const added = countNewNames(properties, set);
  return added > 0 && Object.keys(properties).length + added > limits.propertiesOfNode;
};

const isChanged = ({ properties }: SceneNode, { set, unset }: NormalizedPatch): boolean => {
  for (const name of Object.keys(set))
    if (!Object.hasOwn(properties, name) || !isJsonEqual(properties[name], set[name])) return true;
  return unset.length > 0 && Object.keys(properties).some(matchesAnyPath(unset));
};

const exceedsWrittenBytes = ({ targetIds }: Operation, { shared }: SetPropertiesRequest): boolean =>
  targetIds.length > 1 && targetIds.length * JSON.stringify(shared.set).length > limits.writtenBytes;

const withRebasedTransform = (setting: SetState, node: SceneNode, change: NormalizedPatch): NormalizedPatch => {
  const { transform } = change.set;
  if (node.moves === undefined || !Transform.is(transform)) return change;
  const known = causalContextOf(setting.operation, setting.context);
  const rebased = rebaseTransform(setting.scene, node, { transform, known });
  if (rebased === transform) return change;
  setting.rebased.set(node.id, rebased);
  return { ...change, set: { ...change.set, transform: rebased } };
};

/** Links are applied during the check, because two of them in one operation may form a cycle. */
const applyComponentLink = (
  { scene, budget, journal }: SetState,
  node: SceneNode,
  change: NormalizedPatch,
): OutcomeReason | undefined => {
  if (!Object.hasOwn(change.set, 'instanceOf')) return undefined;
  const fault = checkComponentLink(scene, node, { properties: change.set, budget });
  const properties = applyPatch(node.properties, { ...change });
  setNodeJournaled(scene, journal, { id: node.id, node: { ...node, properties } });
  return fault;
};

const setOne = (setting: SetState, id: NodeId, patch: NormalizedPatch): OutcomeReason | undefined => {
  const node = getNode(setting.scene, id);
  if (node === undefined) return undefined;
  if (node.type === 'text' && (Object.hasOwn(patch.set, 'text') || patch.unset.includes('text')))
    return 'text-has-structure';
  const change = withRebasedTransform(setting, node, patch);
  if (exceedsPropertyLimit(node, change)) return 'too-large';
  setting.living.add(id);
  setting.hasChanges ||= isChanged(node, change);
  return applyComponentLink(setting, node, change) ?? budgetFault(setting);
};

const patchesByNode = (
  { living, rebased }: SetState,
  { own }: SetPropertiesRequest,
): { readonly [id: string]: unknown } => {
  const nodes: { [id: string]: unknown } = {};
  for (const [id, change] of own) if (living.has(id)) nodes[id] = omitEmpty(change);
  for (const [id, transform] of rebased) {
    const { set = {}, unset = [] } = own.get(id) ?? {};
    nodes[id] = omitEmpty({ set: { ...set, transform }, unset });
  }
  return nodes;
};

const resolvedPatch = (setting: SetState, request: SetPropertiesRequest): Operation => {
  const { living, rebased, operation } = setting;
  const nodes = request.own.size === 0 && rebased.size === 0 ? {} : { nodes: patchesByNode(setting, request) };
  if (isEmptyPatch(request.shared)) return { ...operation, targetIds: [...living], payload: nodes };
  const targetIds = [...new Set(operation.targetIds)].filter((id) => living.has(id));
  return { ...operation, targetIds, payload: { ...omitEmpty(request.shared), ...nodes } };
};

const createSetState = (scene: Scene, operation: Operation, context: ResolveContext): SetState => ({
  scene,
  operation,
  context,
  journal: [],
  living: new Set(),
  rebased: new Map(),
  budget: fullBudget(),
  hasChanges: false,
});

export const resolveSet = (scene: Scene, operation: Operation, context: ResolveContext): Resolution => {
  const request = decodeSetProperties(operation);
  if (typeof request === 'string') return rejected(request);
  if (exceedsWrittenBytes(operation, request)) return rejected('too-large');
  const changes = patchPerNode(operation, request);
  const setting = createSetState(scene, operation, context);
  let fault: OutcomeReason | undefined;
  for (const [id, change] of changes) fault ??= setOne(setting, id, change);
  rollBack(scene, setting.journal);
  if (fault !== undefined) return rejected(fault);
  const gone = changes.size - setting.living.size;
  if (!setting.hasChanges) return droppedAsNoOp(gone);
  const moved = setting.rebased.size > 0 ? 'space-changed' : undefined;
  return resolvedAs(resolvedPatch(setting, request), [partlyDeletedReason(gone), moved]);
};

export interface SetPropertiesRequest {
  /** For all targets. */
  readonly shared: NormalizedPatch;
  readonly own: ReadonlyMap<NodeId, NormalizedPatch>;
}

const decodePatchesByNode = (nodes: unknown): ReadonlyMap<NodeId, NormalizedPatch> | JsonFault => {
  if (nodes === undefined) return new Map();
  if (!isRecord(nodes)) return 'malformed';
  const own = new Map<NodeId, NormalizedPatch>();
  for (const [id, patch] of Object.entries(nodes)) {
    const change = decodePatch(patch);
    if (typeof change === 'string') return change;
    if (!NodeId.is(id)) return 'malformed';
    own.set(id, change);
  }
  return own;
};

const decodeSetProperties = ({ payload }: Operation): SetPropertiesRequest | JsonFault => {
  if (!isRecord(payload)) return 'malformed';
  const shared = decodePatch(payload);
  if (typeof shared === 'string') return shared;
  const own = decodePatchesByNode(payload.nodes);
  if (typeof own === 'string') return own;
  return own.size > limits.targets ? 'too-large' : { shared, own };
};

/** The shared patch, then the node's own. */
const combinePatches = (shared: NormalizedPatch, own: NormalizedPatch): NormalizedPatch => ({
  set: { ...applyPatch(shared.set, { unset: own.unset }), ...own.set },
  unset: [...shared.unset, ...own.unset],
});

const patchPerNode = (
  { targetIds }: Operation,
  { shared, own }: SetPropertiesRequest,
): ReadonlyMap<NodeId, NormalizedPatch> => {
  if (isEmptyPatch(shared)) return own;
  const changes = new Map<NodeId, NormalizedPatch>(targetIds.map((id) => [id, shared]));
  for (const [id, change] of own) changes.set(id, changes.has(id) ? combinePatches(shared, change) : change);
  return changes;
};

const omitEmpty = ({ set, unset }: NormalizedPatch): JsonRecord => ({
  ...(Object.keys(set).length === 0 ? {} : { set }),
  ...(unset.length === 0 ? {} : { unset }),
});
