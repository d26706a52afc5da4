/** Engines around one owner, on a network of their own, in a time of their own. */
import type { NodeId } from '../../../../domain/editor/ids';
import { canonicalScene } from '../../../../domain/editor/scene/canonical-scene';
import { findInvariantViolations } from '../../../../domain/editor/scene/invariants';
import type { Scene } from '../../../../domain/editor/scene/scene';
import { type Engine, openEngine } from '../../../../packages/editor-engine/src/engine/engine';
import type { EngineEvent } from '../../../../packages/editor-engine/src/engine/events';
import type { EngineOptions } from '../../../../packages/editor-engine/src/engine/options';
import { openMemoryLocks } from '../../../../packages/editor-engine/src/storage/memory-locks';
import { openMemoryStore } from '../../../../packages/editor-engine/src/storage/memory-store';
import { snapshotLoader } from '../../../../packages/editor-engine/src/sync/snapshot-loader';
import { openTime, type Time } from './controlled-time';
import { type Network, openNetwork } from './network';
import { type Owner, openOwner } from './owner';

export interface Stage {
  readonly time: Time;
  readonly owner: Owner;
  readonly network: Network;
  readonly open: (userId: string, options?: Partial<EngineOptions>) => Promise<Opened>;
}

export interface Opened extends Engine {
  readonly events: EngineEvent[];
  readonly storage: Pick<EngineOptions, 'store' | 'locks'>;
}

export const openStage = (seed?: number): Stage => {
  const time = openTime(seed);
  const owner = openOwner();
  const network = openNetwork(owner, time);
  const load = snapshotLoader(() => Promise.reject(new Error('Everything was told.')));
  return {
    time,
    owner,
    network,
    open: async (userId, options = {}) => {
      const storage = { store: options.store ?? openMemoryStore(), locks: options.locks ?? openMemoryLocks() };
      const engine = await openEngine({
        documentId: owner.documentId,
        userId,
        transport: network.transport(userId),
        platform: time,
        loadSnapshot: (...snapshot) => time.meanwhile(load(...snapshot)),
        ...options,
        ...storage,
      });
      const events: EngineEvent[] = [];
      engine.on((event) => events.push(event));
      return { ...engine, events, storage };
    },
  };
};

/** Ann and Bob, who have it open. */
export const openTwo = async (): Promise<{ stage: Stage; ann: Opened; bob: Opened }> => {
  const stage = openStage();
  const [ann, bob] = [await stage.open('ann'), await stage.open('bob')];
  await stage.time.pass(100);
  return { stage, ann, bob };
};

/** Everything of it in one text. */
export const sceneText = (scene: Scene): string => [...canonicalScene(scene)].join('\n');

export const invariantViolations = (scene: Scene): readonly string[] => [...findInvariantViolations(scene)];

export const createTestNode = (engine: Engine, properties: { readonly [name: string]: unknown } = {}): NodeId => {
  const { ids, edited } = engine.create([{ type: 'rect', properties }]);
  const [id] = ids;
  if (!edited.ok || id === undefined) throw new Error(`Not created: ${JSON.stringify(edited)}`);
  return id;
};

/** Of what is committed. */
export const idsIn = ({ owner }: Stage): readonly string[] => owner.log.map(({ operation }) => operation.opId);
