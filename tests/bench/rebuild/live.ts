/** The proof at full size: no wrong answer while a view of a million events is rebuilt, and nothing of the earlier copy remains. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { openViewStatusReader } from '../../../infra/adapters/postgres/views/view-status-store';
import { fill, type Loaded } from '../../contracts/projections/rebuild/concurrent-load';
import { type Proof, rebuildUnderLoad } from '../../contracts/projections/rebuild/rebuild-under-load';
import { counterProjection, counterTable } from '../../support/domain/counter-context';
import { rate, report } from '../measure';
import { keepLive, must, type Place, readEverything } from './workplace';

const events = Number(process.env.REBUILD_LIVE_EVENTS ?? 1_000_000);
const name = 'bench_counters';

const startLoad = async ({ log, reading }: Place, counters: number): Promise<() => Promise<Loaded>> => {
  const script = join(__dirname, 'load.main.ts');
  const child = spawn(process.execPath, ['-r', 'tsx/cjs', script, log, reading, name, String(counters)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout);
  await once(lines, 'line');
  return async () => {
    const report = once(lines, 'line');
    child.stdin.end();
    return JSON.parse(String((await report)[0])) as Loaded;
  };
};

const tablesOf = async (url: string): Promise<readonly string[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const text = `select tablename from pg_tables where tablename like '${name}_v%' order by 1`;
  const { rows } = await client.query<{ tablename: string }>(text);
  await client.end();
  return rows.map(({ tablename }) => tablename);
};

const refuse = (what: string): never => {
  throw new Error(what);
};

/** Recorded, switched, and the earlier copy dropped. */
const check = async ({ writer, postgres, reading }: Place, { rebuilt, wrong }: Proof, id: string): Promise<void> => {
  if (wrong.length > 0) refuse(`${wrong.length} wrong answers: ${wrong.slice(0, 5).join('; ')}`);
  const known = openViewStatusReader({ url: reading });
  await writer.sweep(counterTable(name) as never, 0);
  const text = await tablesOf(postgres);
  if (text.join() !== `${name}_v${rebuilt.generation}`) refuse(`left: ${text.join()}`);
  const recorded = must(await known.views());
  await known.close();
  const last = recorded.find(({ view }) => view === name)?.rebuild;
  if (last?.id !== id || last.outcome !== 'switched') refuse(`recorded: ${JSON.stringify(last)}`);
};

export const live = async (place: Place): Promise<void> => {
  const counters = await fill(place.store, events);
  const baseline = await rate(events, () => readEverything(place));
  const projection = counterProjection(counterTable(name));
  const projector = await keepLive(place, projection);
  const state = { phase: 'live', position: null, lagSeconds: 0, lagEvents: 0, skippedEvents: 0 };
  must(await place.ledger.saveViews([{ view: name, version: 1, store: 'postgres', ...state }]));
  const id = randomUUID();
  const load = await startLoad(place, counters);
  const proof = await rebuildUnderLoad({ ...place, projection }, load, id);
  await projector.close();
  await check(place, proof, id);
  const perSecond = (count: number): number => (count * 1_000) / proof.milliseconds;
  report({ name: 'rebuild.live', value: perSecond(proof.rebuilt.events), unit: 'events/s', baseline });
  report({ name: 'rebuild.live.seconds', value: proof.milliseconds / 1_000, unit: 's' });
  report({ name: 'rebuild.live.commands', value: perSecond(proof.commands), unit: 'commands/s' });
  report({ name: 'rebuild.live.reads', value: perSecond(proof.reads), unit: 'right answers/s' });
};
