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
export const openPersonalLog = (stage: VaultFixture, log: EventStore, recorded = recordingLog()) => {
  const { vault, store: decrypting } = openProcess(stage, log, stage.proxy.url);
  return openLogInErasureOrder({ store: decrypting, vault, log: recorded });
};

/** Projectors of personal views; a process of their own. */
const runPersonalViews = (stage: VaultFixture, log: EventStore, views = stage.personalViews) => {
  const recorded = recordingLog();
  const store = openPersonalLog(stage, log, recorded);
  const writerOf = ({ view }: Projection) => views.find(({ projection }) => projection.view.name === view.name)?.writer;
  const projections = views.map(({ projection }) => projection);
  const projector: Projector = runProjector(projections, { store, log: recorded, metrics: noopMetrics, writerOf });
  return {
    projector,
    recorded,
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
  const running: ReturnType<typeof runPersonalViews>[] = [];
  const stopAll = async (): Promise<void> => {
    await Promise.all(running.splice(0).map((one) => one.close()));
  };
  afterEach(stopAll);
  const run = (views = stage.personalViews) => {
    const one = runPersonalViews(stage, log.store, views);
    running.push(one);
    return one;
  };
  const shows = (memberId: string, name: string | null) =>
    eventually(async () => {
      for (const view of stage.personalViews) assert.equal(await readMemberName(view, memberId), name, view.name);
    });
  return { run, shows, stopAll };
};
