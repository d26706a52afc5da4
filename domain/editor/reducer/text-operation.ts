/** Resolves `textOperation`: merges a Yjs update into the node's text. */
import { limits } from '../limits';
import type { Operation } from '../operation';
import { isRecord } from '../scene/json';
import { getNode, type Scene } from '../scene/scene';
import { emptyText, mergeText } from '../text/text-state';
import { dropped, type Resolution, rejected, resolvedAs } from './resolution';

export const resolveText = (scene: Scene, operation: Operation): Resolution => {
  const { payload, targetIds } = operation;
  const [id] = targetIds;
  const update = isRecord(payload) ? payload.update : undefined;
  if (id === undefined || targetIds.length > 1 || typeof update !== 'string') return rejected('malformed');
  if (update.length > limits.textUpdate) return rejected('too-large');
  const node = getNode(scene, id);
  if (node === undefined) return dropped('target-deleted');
  if (node.type !== 'text') return rejected('not-text');
  const merged = mergeText(node.text ?? emptyText, update);
  if (merged.kind === 'merged') return resolvedAs({ ...operation, payload: { update } });
  return merged.reason === 'nothing-changes' ? dropped(merged.reason) : rejected(merged.reason);
};
