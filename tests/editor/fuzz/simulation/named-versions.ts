/** Earlier versions, opened at random times. */
import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import type { SnapshotStore } from '../../../../commands/editor/ports';
import { emptyScene } from '../../../../domain/editor/scene/scene';
import { events, textOf } from '../../document-owner/fixture';
import { sceneAt } from './log-history';
import type { Crowd } from './participants';
import { place, type World } from './world';

const textAt = async (world: World, version: number): Promise<string> => textOf(sceneAt(await events(world), version));

/** Undefined where it cannot be had at the moment. */
const opened = async (snapshots: SnapshotStore, version: number): Promise<string | undefined> => {
  const snapshot = await snapshots.atVersion(place, version);
  if (isLeft(snapshot)) {
    assert.equal(snapshot.left.kind, 'fault', snapshot.left.code);
    return undefined;
  }
  const scene = emptyScene();
  const loaded = await snapshots.load(place, snapshot.right, scene);
  return isRight(loaded) ? textOf(scene) : undefined;
};

/** Remembers the text of a random version, for `assertNamed`. */
export const nameVersion = async ({ world }: Crowd): Promise<void> => {
  const version = world.below(world.committed + 1);
  world.named.set(version, await textAt(world, version));
};

/** When nothing goes wrong, each of them can be had. */
export const assertNamed = async ({ world, processes }: Crowd): Promise<void> => {
  for (const [version, named] of world.named) {
    const opening = processes[0] === undefined ? undefined : opened(processes[0].snapshots, version);
    await world.time.pass(2_000);
    assert.equal(await opening, named, `version ${version}`);
  }
};
