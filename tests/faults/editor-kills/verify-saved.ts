/** Compares what clients were acknowledged and display with the log alone. */
import assert from 'node:assert/strict';
import type { OperationLogEvent } from '../../../domain/editor/operation-log/events';
import type { Engine } from '../../../packages/editor-engine/src/engine/engine';
import { textOf } from '../../editor/document-owner/fixture';
import { assertOneOwnerAtATime, assertWhole, replayLog } from '../../editor/document-owner/log-invariants';
import { eventually } from '../../support/waiting/eventually';
import type { Writer, WriterRecord } from './writers';

/** The operation is in the log under its acknowledged version, or it is not in the log. */
const assertSo = ({ opId, status, version }: WriterRecord, at: number | undefined): void => {
  if (status === 'applied' || status === 'transformed') assert.ok(at !== undefined, `${opId} is lost`);
  if (status === 'rejected' || status === 'dropped') assert.equal(at, undefined, `${opId} is there`);
  if (version !== undefined) assert.equal(at, version, `${opId} is not at its acknowledged version`);
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
  for (const { results } of writers) for (const result of results) assertSo(result, versions.get(result.opId));
  const engines = [...writers.map(({ engine }) => engine), newcomer];
  await eventually(async () => assert.ok(engines.every((engine) => engine.state().version === versions.size)));
  const scene = replayLog(events);
  for (const engine of engines) assert.equal(textOf(engine.scene()), scene);
  return versions.size;
};
