/** Applies a difference as a client would. */
import assert from 'node:assert/strict';
import type { NodeChanges, NodeDifference } from '../../../domain/editor/scene/diff';
import { canonicalJson } from '../../../domain/editor/scene/json';
import { iterateNodes, type Scene, type SceneNode } from '../../../domain/editor/scene/scene';
import { plainText } from '../../../domain/editor/text/text-content';

interface Seen {
  readonly type: string;
  readonly parentId: string | null;
  readonly orderKey: string;
  readonly properties: ReadonlyMap<string, unknown>;
  readonly text: string;
}

/** Whatever people see of it: who wrote a character, and which version changed it last, they do not. */
const seen = ({ type, parentId, orderKey, properties, text }: SceneNode): Seen => ({
  type,
  parentId,
  orderKey,
  properties: new Map(Object.entries(properties)),
  text: text === undefined ? '' : plainText(text),
});

export const canonical = (nodes: ReadonlyMap<string, Seen>): string =>
  [...nodes]
    .map(([id, { properties, ...node }]) => canonicalJson({ id, ...node, properties: Object.fromEntries(properties) }))
    .sort()
    .join('\n');

export const nodesSeenIn = (scene: Scene): Map<string, Seen> =>
  new Map(Array.from(iterateNodes(scene), (node) => [node.id, seen(node)]));

const done = (node: Seen, { properties, moved, text, retyped }: NodeChanges): Seen => {
  const written = new Map(node.properties);
  for (const { name, ...change } of properties) {
    assert.equal(written.has(name), 'before' in change);
    assert.equal(canonicalJson(written.get(name)), canonicalJson(change.before));
    if ('after' in change) written.set(name, change.after);
    else written.delete(name);
  }
  if (moved !== undefined) assert.deepEqual(moved.before, { parentId: node.parentId, orderKey: node.orderKey });
  if (text !== undefined) assert.equal(text.before ?? '', node.text);
  if (retyped !== undefined) assert.equal(retyped.before, node.type);
  return {
    ...node,
    ...moved?.after,
    properties: written,
    ...(text === undefined ? {} : { text: text.after ?? '' }),
    ...(retyped === undefined ? {} : { type: retyped.after }),
  };
};

export const applyDifference = (nodes: Map<string, Seen>, difference: NodeDifference): void => {
  const { kind, node } = difference;
  const known = nodes.get(node.id);
  assert.equal(known === undefined, kind === 'created');
  if (kind === 'deleted') nodes.delete(node.id);
  else nodes.set(node.id, difference.kind === 'changed' ? done(known as Seen, difference.changes) : seen(node));
};
