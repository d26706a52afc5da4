/** The history of a document from its log alone. */
import assert from 'node:assert/strict';
import type { OperationLogEvent } from '../../../../domain/editor/operation-log/events';
import { apply } from '../../../../domain/editor/reducer/apply';
import { emptyScene, type Scene } from '../../../../domain/editor/scene/scene';
import type { ReportedResult, World } from './world';

const operationsIn = (log: readonly OperationLogEvent[]) =>
  log.flatMap((event) => (event.type === 'OperationsCommitted' ? event.data.operations : []));

/** From the first operation to a version; where a version was restored, from the first operation to that. */
export const sceneAt = (log: readonly OperationLogEvent[], version: number): Scene => {
  const operations = operationsIn(log).slice(0, version);
  const back = operations.findLastIndex(({ type }) => type === 'restoreVersion');
  const { version: earlier = 0 } = (operations[back]?.payload ?? {}) as { readonly version?: number };
  const scene = back < 0 ? emptyScene() : sceneAt(log, earlier);
  for (const [index, operation] of operations.entries()) if (index > back) apply(scene, operation, index + 1);
  return scene;
};

const assertResult = (opId: string, { status, version }: ReportedResult, at: number | undefined): void => {
  if (status === 'dropped' || status === 'rejected') assert.equal(at, undefined, `${opId} was ${status}, and is there`);
  if (status === 'applied' || status === 'transformed')
    assert.ok(at !== undefined, `${opId} was ${status}, and is lost`);
  if (version !== undefined) assert.equal(version, at, `${opId} is at another version than reported`);
};

/** Checks every result that clients received of their operations. */
export const assertReportedResults = ({ reported }: World, versions: ReadonlyMap<string, number>): void => {
  for (const [opId, all] of reported) for (const result of all) assertResult(opId, result, versions.get(opId));
};
