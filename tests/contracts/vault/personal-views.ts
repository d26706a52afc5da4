/** Projectors of personal views over the vault, and what they come to show. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import type { EventStore } from '../../../infra/ports/event-store';
import type { View } from '../../../infra/ports/views/view-store';
import type { Projection } from '../../../projections/kernel/projection';
import { type Projector, runProjector } from '../../../projections/kernel/projector/projector';
import { openLogInErasureOrder } from '../../../projections/privacy/erase-in-log-order';
import type { MemberRow } from '../../support/domain/personal-context';
import { eventually } from '../../support/waiting/eventually';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';
import { openProcess, type PersonalView, type VaultFixture } from './fixture';

/** The log as a projector process of personal views reads it. */
export const openPersonalLog = (stage: VaultFixture, log: EventStore, heard = recordingLog()) => {
  const { vault, store: decrypting } = openProcess(stage, log, stage.proxy.url);
  return openLogInErasureOrder({ store: decrypting, vault, log: heard });
};

/** Projectors of personal views; a process of their own. */
const runShown = (stage: VaultFixture, log: EventStore, shown = stage.shown) => {
  const heard = recordingLog();
  const store = openPersonalLog(stage, log, heard);
  const writerOf = ({ view }: Projection) => shown.find(({ projection }) => projection.view.name === view.name)?.writer;
  const projections = shown.map(({ projection }) => projection);
  const projector: Projector = runProjector(projections, { store, log: heard, metrics: noopMetrics, writerOf });
  return {
    projector,
    heard,
    close: () => projector.close(),
  };
};

/** The name in a member's row: null when it is forgotten, undefined without a row. */
export const readMemberName = async (
  { reader, projection }: PersonalView,
  memberId: string,
): Promise<string | null | undefined> => {
  const found = await reader.find(projection.view as unknown as View<MemberRow>, 'acme', { memberId });
  assert.ok(isRight(found), 'the view answers');
  return found.right?.name;
};

/** Projectors that a test starts and that end with it, and what their views come to show. */
export const usePersonalViews = (stage: VaultFixture, log: { readonly store: EventStore }) => {
  const running: ReturnType<typeof runShown>[] = [];
  const stopAll = async (): Promise<void> => {
    await Promise.all(running.splice(0).map((one) => one.close()));
  };
  afterEach(stopAll);
  const run = (shown = stage.shown) => {
    const one = runShown(stage, log.store, shown);
    running.push(one);
    return one;
  };
  const shows = (memberId: string, name: string | null) =>
    eventually(async () => {
      for (const view of stage.shown) assert.equal(await readMemberName(view, memberId), name, view.name);
    });
  return { run, shows, stopAll };
};
