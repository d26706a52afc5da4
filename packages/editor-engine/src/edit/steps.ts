/** Several edits as one: for who undoes them, and where it is asked for, for everybody. */
import { limits } from '../../../../domain/editor/limits';
import { bind, unplace } from '../scene/placing';
import { fullRoom } from '../sync/batch';
import { type Desk, type Edited, type EditRefusal, keep, newStep, refusal, type Step } from './desk';

const faultOf = ({ failed, held }: Step): EditRefusal | undefined => {
  if (failed !== undefined) return failed;
  const bytes = held.reduce((sum, item) => sum + item.bytes + 1, 0);
  return held.length > limits.operations || bytes > fullRoom.bytes ? 'too-large' : undefined;
};

/** Nobody knows of it yet, so its numbers are given again. */
const rollBack = (desk: Desk, { id, held }: Step): void => {
  unplace(desk.ledger.replica, held.length);
  desk.author.lastClientSeq -= held.length;
  desk.history.forget(id);
};

const finish = (desk: Desk, step: Step): Edited => {
  const fault = faultOf(step);
  if (fault !== undefined) {
    rollBack(desk, step);
    return refusal(fault);
  }
  if (step.held.length > 0) desk.history.settle();
  else desk.history.forget(step.id);
  bind(desk.ledger.replica, step.held.length);
  for (const item of step.held) keep(desk, item);
  return { ok: true, opIds: step.held.map(({ operation }) => operation.opId) };
};

const run = (desk: Desk, step: Step, work: () => void): void => {
  desk.step = step;
  try {
    work();
  } finally {
    desk.step = undefined;
  }
};

/** One step of undo. What of it is refused is left out; the others stay. */
export const together = (desk: Desk, work: () => void): void => {
  if (desk.step !== undefined) work();
  else run(desk, newStep(desk, false), work);
};

/** All of it or nothing, here and for everybody; within another step, as part of that. */
export const allOrNothing = (desk: Desk, work: () => void): Edited => {
  if (desk.step !== undefined) {
    work();
    return desk.step.failed === undefined ? { ok: true, opIds: [] } : refusal(desk.step.failed);
  }
  const step = newStep(desk, true);
  desk.history.attempt();
  try {
    run(desk, step, work);
  } catch (error) {
    rollBack(desk, step);
    throw error;
  }
  return finish(desk, step);
};

/** A step that goes on for a while, as typing does: every `run` adds to it. */
export const openStep = (desk: Desk): ((work: () => void) => void) => {
  const step = newStep(desk, false);
  return (work) => (desk.step === undefined ? run(desk, step, work) : work());
};
