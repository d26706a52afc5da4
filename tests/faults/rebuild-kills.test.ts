/** Rebuilds whose process is killed on the way: the next process begins again, or goes on with what is there. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { isLeft, isRight } from 'fp-ts/Either';
import { migrate } from '../../infra/adapters/postgres/migrate';
import { openPostgresReader } from '../../infra/adapters/postgres/views/view-reader';
import { openPostgresWriter } from '../../infra/adapters/postgres/views/view-writer';
import { openRedisReader } from '../../infra/adapters/redis/views/view-reader';
import { openRedisWriter } from '../../infra/adapters/redis/views/view-writer';
import type { View } from '../../infra/ports/views/view-store';
import { runProjector } from '../../projections/kernel/projector/projector';
import { rebuild } from '../../projections/kernel/rebuild/rebuild';
import { ok } from '../contracts/views/suite/view-store';
import {
  type CounterRow,
  counterKeys,
  counterProjection,
  counterTable,
  recordTicks,
} from '../support/domain/counter-context';
import { scriptArguments } from '../support/runner/compiled';
import { logOnNode } from '../support/servers/event-store-fixture';
import { freshDatabase, valkeyForTests } from '../support/servers/shared-servers';
import { eventually } from '../support/waiting/eventually';
import { noopMetrics, recordingLog } from '../support/waiting/recording-log';

const points = [
  ['begun', 'has begun'],
  ['replaying', 'has written some rows'],
  ['compared', 'has compared and holds the live view'],
  ['switched', 'has switched'],
] as const;

describe('a rebuild that is killed', function () {
  this.timeout(120_000);
  const log = logOnNode('rebuild');
  let url: string;
  let reading: string;
  before(async () => {
    url = await freshDatabase();
    reading = ok(await migrate({ url, readerPassword: 'only for reading' }));
  });

  const kinds = {
    Postgres: async () => ({
      at: url,
      writer: openPostgresWriter({ url }),
      reader: openPostgresReader({ url: reading }),
      view: counterTable,
    }),
    Redis: async () => {
      const { url: at } = await valkeyForTests();
      return { at, writer: openRedisWriter(at), reader: openRedisReader(at), view: counterKeys };
    },
  };

  const builderAt = async (point: string, named: readonly string[]): Promise<ChildProcess> => {
    const script = join(__dirname, '..', 'contracts', 'projections', 'rebuild', 'rebuild-worker.main.ts');
    const child = spawn(process.execPath, [...scriptArguments(script), log.node.url, point, ...named], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    return child;
  };

  const killed = async (child: ChildProcess): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };

  for (const [store, open] of Object.entries(kinds))
    for (const [point, when] of points)
      it(`in ${store}, killed when it ${when}, is begun again at once, and the view goes on`, async () => {
        const { at, writer, reader, view } = await open();
        const name = `killed_${process.pid}_${point}`;
        const projection = counterProjection(view(name));
        const options = { store: log.store, log: recordingLog(), metrics: noopMetrics, writerOf: () => writer };
        const projector = runProjector([projection], options);
        const id = `${store}-${point}`;
        await recordTicks(log.store, id, 3);
        const shows = (ticks: number, counterId = id) =>
          eventually(async () => {
            const found = await reader.find(projection.view as unknown as View<CounterRow>, 'acme', { counterId });
            assert.equal(isRight(found) ? found.right?.ticks : found.left.detail, ticks);
          });
        await shows(3);
        const child = await builderAt(point, [at, name]);
        const request = { store: log.store, writer, projection, signal: new AbortController().signal };
        const again = () => rebuild({ ...request, acceptDifferences: false, progress: () => undefined });
        if (point !== 'switched') {
          const refused = await again();
          assert.ok(isLeft(refused) && refused.left.code === 'view-building');
        }
        await killed(child);
        await eventually(async () => {
          const built = await again();
          if (isLeft(built)) assert.fail(built.left.detail);
        });
        await recordTicks(log.store, `${id}-later`, 2);
        await shows(2, `${id}-later`);
        await shows(3);
        await projector.close();
        await Promise.all([writer.close(), reader.close()]);
      });

  const many = 3_000;

  for (const [store, open] of Object.entries(kinds))
    it(`in ${store}, is gone on with by the same code from where it was, by other code from the beginning`, async () => {
      const { at, writer, reader, view } = await open();
      const name = `resumed_${process.pid}`;
      const projection = counterProjection(view(name));
      for (let index = 0; index < many / 100; index += 1) await recordTicks(log.store, `${store}-many-${index}`, 99);
      ok(await writer.open(projection.view));
      const options = { store: log.store, log: recordingLog(), metrics: noopMetrics, writerOf: () => writer };
      const projector = runProjector([projection], options);
      const row = async () =>
        ok(
          await reader.find(projection.view as unknown as View<CounterRow>, 'acme', { counterId: `${store}-many-29` }),
        );
      await eventually(async () => assert.equal((await row())?.ticks, 99));
      const rebuildBy = async (code: string) => {
        const begun: unknown[] = [];
        const rebuilt = await rebuild({
          store: log.store,
          writer,
          projection,
          signal: new AbortController().signal,
          code,
          acceptDifferences: false,
          progress: ({ resumedFrom }, message) => void (message === 'begun' && begun.push(resumedFrom)),
        });
        return { rebuilt, resumedFrom: begun[0] };
      };
      const all = ok((await rebuildBy('any code')).rebuilt).events;
      for (const [code, isResumed] of [
        ['code that was killed', true],
        ['other code', false],
      ] as const) {
        await killed(await builderAt('replaying', [at, name, 'code that was killed']));
        // A server notices a moment later that a connection is gone.
        let built = await rebuildBy(code);
        await eventually(async () => {
          if (isLeft(built.rebuilt)) built = await rebuildBy(code);
          ok(built.rebuilt);
        });
        const { events, digests } = ok(built.rebuilt);
        assert.equal(typeof built.resumedFrom, isResumed ? 'string' : 'undefined');
        assert.equal(events < all, isResumed);
        assert.deepEqual(digests?.before, digests?.after);
        assert.equal((await row())?.ticks, 99);
      }
      await projector.close();
      await Promise.all([writer.close(), reader.close()]);
    });
});
