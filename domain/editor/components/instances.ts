/**
 * Computes the nodes that an instance renders: the current content of its main component with the instance's
 * overrides. Derived, never stored, so an edit of the main component is one operation. Without its main component, an
 * instance renders only itself.
 */
import type { NodeId } from '../ids';
import type { JsonRecord } from '../scene/json';
import { childIds, getNode, mainComponentId, type Scene, type SceneNode } from '../scene/scene';
import { isMainComponent } from './component-links';

export interface RenderedNode {
  /** Ids from the instance down to the node: a node may be rendered in many places. */
  readonly path: readonly NodeId[];
  /** With the main component's properties and the overrides. */
  readonly node: SceneNode;
}

/** Bounds the result, because nested instances multiply. */
const maxNodes = 20_000;

/** Bounds the nesting. */
const maxDepth = 1_000;

const prefix = 'overrides.';
/** Links cannot be overridden, because cycles are checked when they are written. */
const linkProperties = new Set(['instanceOf', 'component']);

/** By node id. The outermost instance wins. */
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
  /** Enclosing instances with overrides, the outermost last. */
  readonly around: readonly SceneNode[];
}

const withOverrides = (node: SceneNode, around: readonly SceneNode[]): SceneNode => {
  if (around.length === 0) return node;
  const overrides = around.map((instance) => overridesIn(instance, node.id));
  return { ...node, properties: Object.assign({}, node.properties, ...overrides) };
};

/**
 * Properties that the instance does not set come from its main component; it does not become a main component itself.
 */
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

const renderInto = (scene: Scene, id: NodeId, within: RenderContext, rendered: RenderedNode[]): void => {
  const known = getNode(scene, id);
  if (known === undefined || rendered.length >= maxNodes || within.path.length >= maxDepth) return;
  const path = [...within.path, id];
  rendered.push({ path, node: withOverrides(withMainProperties(scene, known), within.around) });
  const around =
    mainComponentId(known) !== undefined && hasOverrides(known) ? [known, ...within.around] : within.around;
  for (const child of childIds(scene, contentRootOf(scene, known)))
    renderInto(scene, child, { path, around }, rendered);
};

/** The node, then everything rendered in it, parents first. For a node that is no instance, its subtree. */
export const expandInstance = (scene: Scene, id: NodeId): readonly RenderedNode[] => {
  const rendered: RenderedNode[] = [];
  renderInto(scene, id, { path: [], around: [] }, rendered);
  return rendered;
};
