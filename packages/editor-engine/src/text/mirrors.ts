/**
 * Texts as they are typed in here: a live document each, with what was typed by whom, so that one's own typing can be taken back and
 * others' stays. What is shown is the scene's text; a mirror that came to say something else is thrown away.
 */
import * as Y from 'yjs';
import type { NodeId } from '../../../../domain/editor/ids';
import { nodeOf, type Scene } from '../../../../domain/editor/scene/scene';
import { base64Of } from '../../../../domain/editor/text/base64';
import { plainText } from '../../../../domain/editor/text/plain';
import { emptyText, type TextState, textBytes } from '../../../../domain/editor/text/state';
import { root } from '../../../../domain/editor/text/update';
import type { Retyped } from './retyping';

export interface Mirror {
  readonly document: Y.Doc;
  readonly text: Y.Text;
  /** The scene's, that it is up to date with. */
  seen: TextState | undefined;
}

export interface Mirrors {
  readonly open: Map<NodeId, Mirror>;
  /** Of recovered typing that was typed again. */
  readonly retyped: Map<NodeId, Retyped[]>;
  readonly random: () => number;
}

const openMirror = (random: () => number): Mirror => {
  const document = new Y.Doc();
  // Whoever types is told apart by it: no two may have the same in one text.
  document.clientID = Math.floor(random() * 0x1_0000_0000);
  return { document, text: document.getText(root), seen: undefined };
};

/** Up to date with the scene; nothing where there is no such text. */
export const mirrorOf = (mirrors: Mirrors, scene: Scene, id: NodeId): Mirror | undefined => {
  const node = nodeOf(scene, id);
  if (node?.type !== 'text') {
    mirrors.open.delete(id);
    return undefined;
  }
  const known = mirrors.open.get(id);
  const text = node.text ?? emptyText;
  if (known?.seen === text) return known;
  const mirror = known ?? openMirror(mirrors.random);
  if (text !== emptyText) Y.applyUpdate(mirror.document, textBytes(text));
  if (mirror.text.toString() !== plainText(text)) {
    // It knows of typing that was refused, or the node is another one by now.
    mirrors.open.delete(id);
    return known === undefined ? undefined : mirrorOf(mirrors, scene, id);
  }
  mirror.seen = text;
  mirrors.open.set(id, mirror);
  return mirror;
};

/** What `change` did to it, to be told to others; nothing where it did nothing. */
export const typedBy = ({ document }: Mirror, change: () => void): string | undefined => {
  const updates: Uint8Array[] = [];
  const note = (update: Uint8Array): void => void updates.push(update);
  document.on('update', note);
  try {
    change();
  } finally {
    document.off('update', note);
  }
  return updates.length === 0 ? undefined : base64Of(Y.mergeUpdates(updates));
};
