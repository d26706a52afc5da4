/** What there is to see: the scene as edited here, with what is being dragged where it is dragged to. */
import type { NodeId } from '../../../domain/editor/ids';
import { childrenOf, nodeOf } from '../../../domain/editor/scene/scene';
import { plainText } from '../../../domain/editor/text/plain';
import { type Previews, previewed } from './drag';
import type { Room } from './room';

export const looking = ({ parts: { desk, ledger } }: Room, previews: Previews) => ({
  scene: () => ledger.replica.scene,
  node: (id: NodeId) => {
    const node = nodeOf(ledger.replica.scene, id);
    return node === undefined ? undefined : previewed(desk, previews, node);
  },
  children: (parentId: NodeId | null) => [...childrenOf(ledger.replica.scene, parentId)],
  text: (id: NodeId) => {
    const text = nodeOf(ledger.replica.scene, id)?.text;
    return text === undefined ? '' : plainText(text);
  },
});
