/** Typing in texts: what was typed in one step is taken back at once, and only that. */
import * as Y from 'yjs';
import type { NodeId } from '../../../../domain/editor/ids';
import { nodeOf } from '../../../../domain/editor/scene/scene';
import { emptyText } from '../../../../domain/editor/text/state';
import { type Desk, type Edited, newStep, perform, refusal, type Step } from '../edit/desk';
import { type Did, isTyped, type Typed } from '../undo/history';
import { type Mirror, type Mirrors, mirrorOf, typedBy } from './mirrors';

/** What one step did to one text. */
export interface Typing {
  readonly stepId: string;
  readonly nodeId: NodeId;
  readonly mirror: Mirror;
  readonly manager: Y.UndoManager;
}

export interface Typist {
  readonly mirrors: Mirrors;
  /** Of the step that typed last. */
  last: Typing | undefined;
}

export const openTypist = (random: () => number): Typist => ({
  mirrors: { open: new Map(), retyped: new Map(), random },
  last: undefined,
});

const typingOf = (typist: Typist, [stepId, nodeId]: [string, NodeId], mirror: Mirror): Typing => {
  const { last } = typist;
  if (last?.stepId === stepId && last.nodeId === nodeId && last.mirror === mirror) return last;
  // One for each step: it takes back that step and no other, whatever became of those before.
  const manager = new Y.UndoManager(mirror.text, {
    trackedOrigins: new Set([stepId]),
    captureTimeout: Number.MAX_SAFE_INTEGER,
  });
  typist.last = { stepId, nodeId, mirror, manager };
  return typist.last;
};

/** In the scene as in the mirror, or in neither. */
const told = (desk: Desk, typist: Typist, asked: { typing: Typing; update: string; inverseOf?: Typed['opId'] }) => {
  const { typing, update, inverseOf } = asked;
  const { nodeId, mirror } = typing;
  const inverse = inverseOf === undefined ? {} : { inverseOf };
  const edited = perform(desk, { type: 'textOperation', targetIds: [nodeId], payload: { update }, ...inverse });
  if (edited.ok) mirror.seen = nodeOf(desk.ledger.replica.scene, nodeId)?.text ?? emptyText;
  else typist.mirrors.open.delete(nodeId);
  const [opId] = edited.ok ? edited.opIds : [];
  if (opId !== undefined) desk.history.did(desk.step?.id ?? typing.stepId, { opId, nodeId, typing });
  return edited;
};

/** Where `change` throws in the middle, the mirror has what nobody is told of: it is made anew the next time. */
const writtenTo = ({ mirrors }: Typist, typing: Typing, change: (text: Y.Text) => void): string | undefined => {
  const { mirror, nodeId, stepId } = typing;
  let isDone = false;
  try {
    const update = typedBy(mirror, () => mirror.document.transact(() => change(mirror.text), stepId));
    isDone = true;
    return update;
  } finally {
    if (!isDone) mirrors.open.delete(nodeId);
  }
};

/** `change` writes to the text as everybody knows it by now. */
export const type = (desk: Desk, typist: Typist, asked: { id: NodeId; change: (text: Y.Text) => void }): Edited => {
  const { id, change } = asked;
  if (!desk.isOpen()) return refusal('not-open');
  if (!desk.mayEdit()) return refusal('not-allowed');
  const { scene } = desk.ledger.replica;
  const mirror = mirrorOf(typist.mirrors, scene, id);
  if (mirror === undefined) return refusal(nodeOf(scene, id) === undefined ? 'target-deleted' : 'not-text');
  const step: Step = desk.step ?? newStep(desk, false);
  const typing = typingOf(typist, [step.id, id], mirror);
  const update = writtenTo(typist, typing, change);
  if (update === undefined) return { ok: true, opIds: [] };
  const outer = desk.step;
  desk.step = step;
  try {
    return told(desk, typist, { typing, update });
  } finally {
    desk.step = outer;
  }
};

/** Takes back, or does again, what a step typed. Nothing where its text is another one by now. */
export const turnTyping = (desk: Desk, typist: Typist, [one, way]: [Typed, 'undo' | 'redo']): Edited | undefined => {
  const typing = one.typing as Typing;
  const { mirror, manager, nodeId } = typing;
  if (mirrorOf(typist.mirrors, desk.ledger.replica.scene, nodeId) !== mirror) return undefined;
  const update = typedBy(mirror, () => void (way === 'undo' ? manager.undo() : manager.redo()));
  return update === undefined ? undefined : told(desk, typist, { typing, update, inverseOf: one.opId });
};

/** Nobody takes it back any more. */
export const endTyping = (typist: Typist, one: Did | Typed): void => {
  if (!isTyped(one)) return;
  const { manager } = one.typing as Typing;
  manager.destroy();
  if (typist.last?.manager === manager) typist.last = undefined;
};
