import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft, isRight } from 'fp-ts/Either';
import type { DocumentRegistry } from '../../../commands/editor/document-owner/document-handle';
import { openMemoryDocumentLeases } from '../../../infra/adapters/redis/editor/memory-document-leases';
import { type LogFault, openFaultyLog, openMortalProcess } from './faulty-log';
import { clientIds, events, opened, place, type Stage, stage, textOf, writer } from './fixture';
import { assertOneOwnerAtATime, assertWhole, replayLog } from './log-invariants';
import { appendsFor, snapshotsEvery } from './settings';

const moodOf = fc.constantFrom<LogFault>(
  'works',
  'works',
  'works',
  'works',
  'unavailable',
  'answer-lost',
  'request-lost',
  'late',
);

interface Plan {
  readonly moods: readonly LogFault[];
  readonly readMoods: readonly LogFault[];
  readonly kills: readonly number[];
  readonly leased: boolean;
}

const planOf: fc.Arbitrary<Plan> = fc.record({
  moods: fc.array(moodOf, { minLength: 10, maxLength: 60 }),
  readMoods: fc.array(fc.constantFrom<LogFault>('works', 'works', 'works', 'works', 'unavailable'), {
    minLength: 5,
    maxLength: 30,
  }),
  kills: fc.array(fc.nat({ max: 60 }), { maxLength: 4 }),
  leased: fc.boolean(),
});

interface Process {
  documents: DocumentRegistry;
  end: () => void;
  dies: Promise<'dead'>;
}

/** Two processes, one of which ends now and then; people write in the document by way of whichever answers. */
const world = (now: Stage, plan: Plan) => {
  const calls = { append: 0, read: 0 };
  const { store, arrive } = openFaultyLog(now.store, (what) => {
    const moods = what === 'append' ? plan.moods : plan.readMoods;
    calls[what] += 1;
    // Faults end after a number of calls, so that every run ends.
    return calls[what] > 120 ? 'works' : (moods[calls[what] % moods.length] ?? 'works');
  });
  let born = 0;
  const start = (): Process => {
    born += 1;
    const shared = plan.leased ? now.shared : new Map();
    const body = openMortalProcess(store, openMemoryDocumentLeases(shared, `process-${born}`));
    return { documents: now.owner({ store: body.store, leases: body.leases }), end: body.end, dies: body.dies };
  };
  const processes = [start(), start()];
  return {
    arrive,
    pick: (turn: number): Process => {
      const place = turn % processes.length;
      if (plan.kills.includes(turn)) {
        processes[place]?.end();
        processes[place] = start();
      }
      return processes[place] as Process;
    },
  };
};

interface Writing {
  readonly name: string;
  readonly acknowledged: Set<string>;
}

const write = async ({ pick }: ReturnType<typeof world>, { name, acknowledged }: Writing): Promise<void> => {
  const ada = writer(clientIds.issue({ documentKey: place, principalId: name }));
  const operations = Array.from({ length: 12 }, (_, index) => ada.create(index + 1));
  let settled = 0;
  for (let turn = name.charCodeAt(0) % 2; settled < operations.length; turn += 1) {
    const { documents, dies } = pick(turn);
    const open = await Promise.race([documents.open(place), dies]);
    await new Promise((resolve) => setImmediate(resolve));
    if (open === 'dead' || isLeft(open)) continue;
    const { clientId } = ada;
    const joined = open.right.join({ clientId, principalId: name, mayEdit: true, settledClientSeq: settled });
    assert.ok(isRight(joined));
    assert.ok(joined.right.lastClientSeq >= settled, 'something settled was forgotten');
    const batch = operations.slice(settled, settled + 1 + (turn % 4));
    const done = await Promise.race([
      open.right.submit({ clientId, principalId: name, schema: 2, operations: batch }),
      dies,
    ]);
    if (done === 'dead' || isLeft(done)) continue;
    settled += batch.length;
    for (const { opId, status } of done.right.results) {
      assert.ok(status === 'applied' || status === 'duplicate' || status === 'transformed', status);
      acknowledged.add(opId);
    }
  }
};

describe('random failures of the log and of owners', () => {
  it('every acknowledged operation is in the log once, in order, from one owner at a time', async () => {
    await fc.assert(
      fc.asyncProperty(planOf, async (plan) => {
        const settings = {
          append: appendsFor(8),
          leaseMilliseconds: 20,
          renewalMilliseconds: 5,
          reopenBackoff: { pauseMilliseconds: 1, longestMilliseconds: 4 },
          snapshot: snapshotsEvery(7),
        };
        const now = stage(settings);
        const acknowledged = new Set<string>();
        const all = world(now, plan);
        await Promise.all(['ada', 'bob', 'cem'].map((name) => write(all, { name, acknowledged })));
        await all.arrive();
        const last = await opened(now.rival());
        const log = await events(now);
        const versions = assertWhole(log);
        assertOneOwnerAtATime(log);
        for (const opId of acknowledged) assert.ok(versions.has(opId), `${opId} is lost`);
        assert.equal(acknowledged.size, 36);
        assert.equal(textOf(last.scene()), replayLog(log));
        for (let turn = 0; turn < 2; turn += 1) all.pick(turn).end();
      }),
      { numRuns: 30 },
    );
  });
});
