/** Compares what clients were acknowledged and display with the log alone. */
import assert from 'node:assert/strict';
import type { OperationLogEvent } from '../../../domain/editor/operation-log/events';
import type { Engine } from '../../../packages/editor-engine/src/engine/engine';
import { textOf } from '../../editor/document-owner/fixture';
import { assertOneOwnerAtATime, assertWhole, replayLog } from '../../editor/document-owner/log-invariants';
import { eventually } from '../../support/waiting/eventually';
import type { Writer, WriterRecord } from './writers';

/** It is there under the version that was told, or it is not there. */
const assertSo = ({ opId, status, version }: WriterRecord, at: number | undefined): void => {
  if (status === 'applied' || status === 'transformed') assert.ok(at !== undefined, `${opId} is lost`);
  if (status === 'rejected' || status === 'dropped') assert.equal(at, undefined, `${opId} is there`);
  if (version !== undefined) assert.equal(at, version, `${opId} is elsewhere than was said`);
};

export const untilSaved = (engines: readonly Engine[]): Promise<void> =>
  eventually(async () => assert.deepEqual([...new Set(engines.map((engine) => engine.state().kind))], ['saved']));

/** Answers how many operations there are. */
export const verifySaved = async (
  events: readonly OperationLogEvent[],
  writers: readonly Writer[],
  newcomer: Engine,
): Promise<number> => {
  const versions = assertWhole(events);
  assertOneOwnerAtATime(events);
  for (const { told } of writers) for (const said of told) assertSo(said, versions.get(said.opId));
  const engines = [...writers.map(({ engine }) => engine), newcomer];
  await eventually(async () => assert.ok(engines.every((engine) => engine.state().version === versions.size)));
  const scene = replayLog(events);
  for (const engine of engines) assert.equal(textOf(engine.scene()), scene);
  return versions.size;
};
