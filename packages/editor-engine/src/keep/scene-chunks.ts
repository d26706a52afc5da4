/** Scenes as they are kept here: chunks of nodes, written and read with pauses between, so that nothing else waits for long. */
import { nodeOf, type Scene, type SceneNode, write } from '../../../../domain/editor/scene/scene';
import { nodeOfStored, storedNode } from '../../../../domain/editor/scene/stored';

const nodesOfChunk = 1_000;

export async function* chunksOf(nodes: readonly SceneNode[], pause: () => Promise<void>): AsyncGenerator<string> {
  for (let start = 0; start < nodes.length; start += nodesOfChunk) {
    yield JSON.stringify(nodes.slice(start, start + nodesOfChunk).map(storedNode));
    await pause();
  }
}

export const readChunk = (scene: Scene, chunk: string): void => {
  for (const stored of JSON.parse(chunk) as readonly unknown[]) {
    const node = nodeOfStored(stored);
    if (node !== undefined) write(scene, node.id, node);
  }
};

/** Whether every node's parent is there: a scene of which a part got lost is none. */
export const isWhole = (scene: Scene): boolean => {
  for (const parentId of scene.children.keys())
    if (parentId !== null && nodeOf(scene, parentId) === undefined) return false;
  return true;
};
