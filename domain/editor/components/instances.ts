/**
 * What an instance shows: the content of its main component, as it is now, with what the instance overrides. It is derived and never
 * stored, so an edit of the main is one operation. Without its main it shows nothing but itself, until the main is back.
 */
import type { NodeId } from '../ids';
import type { JsonRecord } from '../scene/json';
import { childIds, getNode, mainComponentId, type Scene, type SceneNode } from '../scene/scene';
import { isMainComponent } from './component-links';

export interface RenderedNode {
  /** Ids from the instance down to what is shown: the same node is shown in many places. */
  readonly path: readonly NodeId[];
  /** With the main's properties, and what is overridden. */
  readonly node: SceneNode;
}

/** Instances within instances multiply: it ends there. */
const maxNodes = 20_000;

/** And there, however they lie in each other. */
const maxDepth = 1_000;

const prefix = 'overrides.';
/** What links nodes is checked for circles where it is written, so it is not overridden. */
const linkProperties = new Set(['instanceOf', 'component']);

/** By the node they are for. The outermost instance has the last word. */
const overridesIn = ({ properties }: SceneNode, id: NodeId): JsonRecord => {
  const start = `${prefix}${id}.`;
  const entries = Object.entries(properties).filter(([name]) => name.startsWith(start));
  const named = entries.map(([name, value]): [string, unknown] => [name.slice(start.length), value]);
  return Object.fromEntries(named.filter(([name]) => !linkProperties.has(name)));
};

const hasOverrides = ({ properties }: SceneNode): boolean =>
  Object.keys(properties).some((name) => name.startsWith(prefix));

interface RenderContext {
  readonly path: readonly NodeId[];
  /** Instances around it that override something, the outermost last. */
  readonly around: readonly SceneNode[];
}

const withOverrides = (node: SceneNode, around: readonly SceneNode[]): SceneNode => {
  if (around.length === 0) return node;
  const overrides = around.map((instance) => overridesIn(instance, node.id));
  return { ...node, properties: Object.assign({}, node.properties, ...overrides) };
};

/** What the main itself looks like is what its instance looks like, where that says nothing else; it does not become a main by it. */
const withMainProperties = (scene: Scene, instance: SceneNode): SceneNode => {
  const main = getNode(scene, (mainComponentId(instance) ?? '') as NodeId);
  if (main === undefined || !isMainComponent(scene, main.id)) return instance;
  const { component, transform, ...looks } = main.properties;
  return { ...instance, properties: { ...looks, ...instance.properties } };
};

const contentRootOf = (scene: Scene, node: SceneNode): NodeId => {
  const main = mainComponentId(node) as NodeId | undefined;
  return main !== undefined && isMainComponent(scene, main) ? main : node.id;
};

const renderInto = (scene: Scene, id: NodeId, within: RenderContext, shown: RenderedNode[]): void => {
  const known = getNode(scene, id);
  if (known === undefined || shown.length >= maxNodes || within.path.length >= maxDepth) return;
  const path = [...within.path, id];
  shown.push({ path, node: withOverrides(withMainProperties(scene, known), within.around) });
  const around =
    mainComponentId(known) !== undefined && hasOverrides(known) ? [known, ...within.around] : within.around;
  for (const child of childIds(scene, contentRootOf(scene, known))) renderInto(scene, child, { path, around }, shown);
};

/** The node first, then all that is shown in it, parents before children; of a node that is no instance, what lies below. */
export const expandInstance = (scene: Scene, id: NodeId): readonly RenderedNode[] => {
  const shown: RenderedNode[] = [];
  renderInto(scene, id, { path: [], around: [] }, shown);
  return shown;
};
