/** Undo and redo: new operations that take back what this person did, made from what is there now. */
import { type Desk, perform } from '../edit/desk';
import { together } from '../edit/steps';
import { type Typist, turnTyping } from '../text/typing';
import { beforesIn } from './before';
import { type Did, isTyped } from './history';
import { inversesOf } from './inverse';

export interface UndoAsked {
  /** Leaves alone what others wrote over since; otherwise that is taken back as well. */
  readonly conditional?: boolean;
}

const turnOne = (desk: Desk, { opId, committed, journals, homes }: Did, isConditional: boolean): void => {
  const befores = beforesIn(journals);
  const { scene } = desk.ledger.replica;
  for (const operation of committed.toReversed())
    for (const draft of inversesOf({ scene, befores, homes, isConditional }, operation))
      perform(desk, { ...draft, inverseOf: opId });
};

/** Answers whether there was something. What of it cannot be taken back any more is left as it is. */
export const turn = (
  desk: Desk,
  typist: Typist,
  [way, { conditional = false }]: readonly ['undo' | 'redo', UndoAsked],
): boolean => {
  if (!desk.isOpen() || !desk.mayEdit() || desk.step !== undefined) return false;
  return desk.history.turn(way, ({ did }) =>
    together(desk, () => {
      for (const one of did.toReversed()) {
        if (isTyped(one)) turnTyping(desk, typist, [one, way]);
        else turnOne(desk, one, conditional);
      }
    }),
  );
};
