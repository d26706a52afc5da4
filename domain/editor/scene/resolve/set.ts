/** The last writer of a property wins, each by itself. */
import type { NodeId } from '../../ids';
import { limits } from '../../limits';
import { type Operation, Transform } from '../../operation';
import type { OutcomeReason } from '../../outcome';
import { type Effort, effortFault, fullEffort } from '../effort';
import { type Replaced, replace, takeBack } from '../journal';
import { type Change, isEmpty } from '../properties';
import { nodeOf, type Scene, type SceneNode } from '../scene';
import { asMeant } from '../spaces';
import { isSame, type JsonRecord } from '../values';
import { under, written } from '../written';
import { type Asked, changesOf, compact, readAsked } from './asked';
import { done, knowledgeOf, nothingLeft, partly, type Resolution, type ResolveContext, rejected } from './context';
import { linkFault } from './links';

interface Setting {
  readonly scene: Scene;
  readonly operation: Operation;
  readonly context: ResolveContext;
  readonly journal: Replaced[];
  readonly living: Set<NodeId>;
  /** Transforms that were meant in another space. */
  readonly meant: Map<NodeId, readonly number[]>;
  readonly effort: Effort;
  changes: boolean;
}

const countNew = (properties: JsonRecord, set: JsonRecord): number => {
  let count = 0;
  for (const name of Object.keys(set)) if (!Object.hasOwn(properties, name)) count += 1;
  return count;
};

const isTooMuch = ({ properties }: SceneNode, { set }: Change): boolean => {
  const added = countNew(properties, set);
  return added > 0 && Object.keys(properties).length + added > limits.propertiesOfNode;
};

const isChanged = ({ properties }: SceneNode, { set, unset }: Change): boolean => {
  for (const name of Object.keys(set))
    if (!Object.hasOwn(properties, name) || !isSame(properties[name], set[name])) return true;
  return unset.length > 0 && Object.keys(properties).some(under(unset));
};

const isTooMuchInAll = ({ targetIds }: Operation, { shared }: Asked): boolean =>
  targetIds.length > 1 && targetIds.length * JSON.stringify(shared.set).length > limits.writtenBytes;

const inItsSpace = (setting: Setting, node: SceneNode, change: Change): Change => {
  const { transform } = change.set;
  if (node.moves === undefined || !Transform.is(transform)) return change;
  const known = knowledgeOf(setting.operation, setting.context);
  const meant = asMeant(setting.scene, node, { transform, known });
  if (meant === transform) return change;
  setting.meant.set(node.id, meant);
  return { ...change, set: { ...change.set, transform: meant } };
};

/** What links nodes is done as it is looked at: two of them in one operation may close a circle. */
const link = ({ scene, effort, journal }: Setting, node: SceneNode, change: Change): OutcomeReason | undefined => {
  if (!Object.hasOwn(change.set, 'instanceOf')) return undefined;
  const fault = linkFault(scene, node, { properties: change.set, effort });
  const properties = written(node.properties, { ...change });
  replace(scene, journal, { id: node.id, node: { ...node, properties } });
  return fault;
};

const settle = (setting: Setting, id: NodeId, asked: Change): OutcomeReason | undefined => {
  const node = nodeOf(setting.scene, id);
  if (node === undefined) return undefined;
  if (node.type === 'text' && (Object.hasOwn(asked.set, 'text') || asked.unset.includes('text')))
    return 'text-has-structure';
  const change = inItsSpace(setting, node, asked);
  if (isTooMuch(node, change)) return 'too-large';
  setting.living.add(id);
  setting.changes ||= isChanged(node, change);
  return link(setting, node, change) ?? effortFault(setting);
};

const ownOf = ({ living, meant }: Setting, { own }: Asked): { readonly [id: string]: unknown } => {
  const nodes: { [id: string]: unknown } = {};
  for (const [id, change] of own) if (living.has(id)) nodes[id] = compact(change);
  for (const [id, transform] of meant) {
    const { set = {}, unset = [] } = own.get(id) ?? {};
    nodes[id] = compact({ set: { ...set, transform }, unset });
  }
  return nodes;
};

const settled = (setting: Setting, asked: Asked): Operation => {
  const { living, meant, operation } = setting;
  const nodes = asked.own.size === 0 && meant.size === 0 ? {} : { nodes: ownOf(setting, asked) };
  if (isEmpty(asked.shared)) return { ...operation, targetIds: [...living], payload: nodes };
  const targetIds = [...new Set(operation.targetIds)].filter((id) => living.has(id));
  return { ...operation, targetIds, payload: { ...compact(asked.shared), ...nodes } };
};

const begun = (scene: Scene, operation: Operation, context: ResolveContext): Setting => ({
  scene,
  operation,
  context,
  journal: [],
  living: new Set(),
  meant: new Map(),
  effort: fullEffort(),
  changes: false,
});

export const resolveSet = (scene: Scene, operation: Operation, context: ResolveContext): Resolution => {
  const asked = readAsked(operation);
  if (typeof asked === 'string') return rejected(asked);
  if (isTooMuchInAll(operation, asked)) return rejected('too-large');
  const changes = changesOf(operation, asked);
  const setting = begun(scene, operation, context);
  let fault: OutcomeReason | undefined;
  for (const [id, change] of changes) fault ??= settle(setting, id, change);
  takeBack(scene, setting.journal);
  if (fault !== undefined) return rejected(fault);
  const gone = changes.size - setting.living.size;
  if (!setting.changes) return nothingLeft(gone);
  const moved = setting.meant.size > 0 ? 'space-changed' : undefined;
  return done(settled(setting, asked), [partly(gone), moved]);
};
