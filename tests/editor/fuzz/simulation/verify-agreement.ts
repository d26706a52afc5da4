/** Compares the scenes of all clients of a document with each other and with its log. */
import assert from 'node:assert/strict';
import { findInvariantViolations } from '../../../../domain/editor/scene/invariants';
import { events, textOf } from '../../document-owner/fixture';
import { assertOneOwnerAtATime, assertWhole } from '../../document-owner/log-invariants';
import { assertReportedResults, sceneAt } from './log-history';
import { assertNamed } from './named-versions';
import type { Crowd } from './participants';
import { place } from './world';

/** At any time. */
export const assertSound = ({ members, processes }: Crowd): void => {
  for (const { engine, userId } of members) assert.deepEqual(findInvariantViolations(engine.scene()), [], userId);
  for (const { documents, address } of processes) {
    const open = documents.find(place);
    if (open !== undefined) assert.deepEqual(findInvariantViolations(open.scene()), [], address);
  }
};

/** Pending operations of a page that ended are in the log, or their author was notified of their outcome. */
const assertOwed = ({ world, members }: Crowd, versions: ReadonlyMap<string, number>): void => {
  const recovered = members.flatMap(({ engine }) => engine.recovered().map(({ operation }) => operation.opId));
  const known = new Set<string>([
    ...versions.keys(),
    ...world.reported.keys(),
    ...world.noticed,
    ...world.came,
    ...recovered,
  ]);
  for (const opId of world.owed) assert.ok(known.has(opId), `${opId} is lost`);
};

/** When all is quiet; answers what they have. */
export const assertSame = async (crowd: Crowd): Promise<string> => {
  const { world, members } = crowd;
  const log = await events(world);
  const versions = assertWhole(log);
  const text = textOf(sceneAt(log, versions.size));
  const states = members.map(({ userId, engine }) => `${userId} ${engine.state().kind} ${engine.state().version}`);
  assert.deepEqual(
    states,
    members.map(({ userId }) => `${userId} saved ${versions.size}`),
  );
  for (const { engine, userId } of members) assert.equal(textOf(engine.scene()), text, userId);
  assertOneOwnerAtATime(log);
  assertReportedResults(world, versions);
  assertOwed(crowd, versions);
  await assertNamed(crowd);
  const broken = world.log.lines.filter(({ message }) => /could not be applied|defect/u.test(message));
  assert.deepEqual(broken, []);
  return text;
};
