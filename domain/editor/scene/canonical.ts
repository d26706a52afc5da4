/** Scenes as text that is the same when they are: for checksums, and to compare replicas. */
import { canonicalText } from '../text/plain';
import { nodesOf, type Scene, type SceneNode } from './scene';
import { stable } from './values';

export const canonicalNode = ({ text, ...node }: SceneNode): string =>
  stable(text === undefined ? node : { ...node, text: canonicalText(text) });

/** By id. */
export function* canonicalScene(scene: Scene): Generator<string> {
  const nodes = [...nodesOf(scene)].sort((left, right) => (left.id < right.id ? -1 : 1));
  for (const node of nodes) yield canonicalNode(node);
}
