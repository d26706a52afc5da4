/** A rebuild whose requester, progress, digests and outcome are stored in the view's status. */
import { type Either, isLeft } from 'fp-ts/Either';
import type { RebuildState, ViewStatusStore } from '../../../infra/ports/views/view-status';
import type { ViewDigest } from '../../../infra/ports/views/view-store';
import { backoff } from '../../../infra/server/runtime/backoff';
import type { RebuildFailure, RebuildRequest, RebuildResult } from './rebuild';
import { rebuild } from './rebuild';

export interface Recording {
  /** Undefined when there is nowhere to record it: views in Redis need no Postgres. */
  readonly ledger: ViewStatusStore | undefined;
  readonly by: string;
  /** Of this rebuild. */
  readonly id: string;
}

const saveEveryMilliseconds = 1_000;
const attempts = 5;

/** An estimate from positions, which grow about as evenly as the number of events. */
const secondsLeft = (
  { position, resumedFrom = '0' }: RebuildState,
  head: bigint | null,
  seconds: number,
): Pick<RebuildState, 'secondsLeft'> => {
  if (position === undefined || head === null || head === 0n) return {};
  const part = (Number(position) - Number(resumedFrom)) / (Number(head) - Number(resumedFrom));
  return part > 0 && part <= 1 ? { secondsLeft: Math.round(seconds / part - seconds) } : {};
};

type Progress = RebuildRequest['progress'];

const stateFrom = (state: RebuildState, fields: Parameters<Progress>[0]): RebuildState => {
  const { generation, events, position, resumedFrom, before, after } = fields;
  return {
    ...state,
    ...(typeof generation === 'number' ? { generation } : {}),
    ...(typeof events === 'number' ? { events } : {}),
    ...(typeof position === 'string' ? { position } : {}),
    ...(typeof resumedFrom === 'string' ? { resumedFrom } : {}),
    ...(before === undefined ? {} : { before: before as ViewDigest, after: after as ViewDigest }),
  };
};

const openRecord = async ({ projection, store, progress }: RebuildRequest, { ledger, by, id }: Recording) => {
  const { name: view, version } = projection.view;
  const head = await store.head();
  const end = isLeft(head) ? null : head.right;
  const began = performance.now();
  let saved = began;
  let state: RebuildState = { id, view, version, by, outcome: 'running', events: 0, perSecond: 0 };
  let saving: Promise<unknown> = Promise.resolve();
  const save = (): void => {
    saving = saving.then(() => ledger?.saveRebuild(state));
  };
  const report: Progress = (fields, message) => {
    const now = performance.now();
    const seconds = (now - began) / 1000;
    const { secondsLeft: _, ...before } = stateFrom(state, fields);
    const left = secondsLeft(before, end, seconds);
    state = { ...before, perSecond: Math.round(before.events / Math.max(seconds, 0.001)), ...left };
    progress({ ...fields, perSecond: state.perSecond, ...left }, message);
    if (message === 'replaying' && now - saved < saveEveryMilliseconds) return;
    saved = now;
    save();
  };
  const close = async (outcome: Pick<RebuildState, 'outcome' | 'reason'>): Promise<boolean> => {
    await saving;
    state = { ...state, ...outcome };
    const { signal } = new AbortController();
    for (let attempt = 0; ledger !== undefined && attempt < attempts; attempt += 1) {
      if (!isLeft(await ledger.saveRebuild(state))) return true;
      await backoff(attempt, signal);
    }
    return ledger === undefined;
  };
  return { report, close };
};

export const rebuildRecorded = async (
  request: RebuildRequest,
  recording: Recording,
): Promise<Either<RebuildFailure, RebuildResult>> => {
  const record = await openRecord(request, recording);
  const rebuilt = await rebuild({ ...request, progress: record.report });
  // Refused because another rebuild is under way: nothing began, so nothing is recorded.
  if (isLeft(rebuilt) && rebuilt.left.code === 'view-building') return rebuilt;
  const saved = await record.close(
    isLeft(rebuilt) ? { outcome: 'failed', reason: rebuilt.left.code } : { outcome: 'switched' },
  );
  if (!saved) request.progress({ outcome: isLeft(rebuilt) ? 'failed' : 'switched' }, 'could not be recorded');
  return rebuilt;
};
