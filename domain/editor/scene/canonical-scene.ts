/** Canonical text of scenes, for checksums and to compare replicas. */
import { canonicalText } from '../text/text-content';
import { canonicalJson } from './json';
import { iterateNodes, type Scene, type SceneNode } from './scene';

export const canonicalNode = ({ text, ...node }: SceneNode): string =>
  canonicalJson(text === undefined ? node : { ...node, text: canonicalText(text) });

/** Ordered by id. */
export function* canonicalScene(scene: Scene): Generator<string> {
  const nodes = [...iterateNodes(scene)].sort((left, right) => (left.id < right.id ? -1 : 1));
  for (const node of nodes) yield canonicalNode(node);
}
