/** What the gateway costs: the same request direct, through a proxy that does nothing, and through it, in turns. */
import { readerUrl } from '../../infra/adapters/postgres/migrate';
import { type Services, startServices } from '../contracts/gateway/service-processes';
import { type Admin, jsonOf, signIn } from '../support/identity/admin';
import { freshDatabase, stopServers } from '../support/servers/shared-servers';
import { eventually } from '../support/waiting/eventually';
import { type BenchRequest, openSenders, type Senders } from './gateway/routes-to-services';
import { fromCallers, percentile, rate, report } from './measure';

const warmUp = 1_000;
const rounds = 5;
const callers = 32;
const ways = ['direct', 'bare', 'gateway'] as const;
type Way = (typeof ways)[number];
type ByWay = { readonly [W in Way]: number[] };

interface Plan {
  readonly name: string;
  readonly request: BenchRequest;
  /** Requests of one caller, on each way. */
  readonly single: number;
  /** Requests in a round of all callers, on each way. */
  readonly crowd: number;
}

const empty = (): ByWay => ({ direct: [], bare: [], gateway: [] });

const timed = async (senders: Senders, way: Way, request: BenchRequest): Promise<number> => {
  const began = performance.now();
  await senders[way](request);
  return performance.now() - began;
};

/** Request by request in turns, so that all ways feel whatever else the machine does. */
const alone = async (senders: Senders, { request, single }: Plan): Promise<ByWay> => {
  const found = empty();
  for (let time = 0; time < single; time += 1)
    for (const way of ways) found[way].push(await timed(senders, way, request));
  return found;
};

const crowded = async (
  senders: Senders,
  { request, crowd }: Plan,
): Promise<{ readonly times: ByWay; readonly rates: ByWay }> => {
  const [times, rates] = [empty(), empty()];
  for (let round = 0; round < rounds; round += 1)
    for (const way of ways) {
      const task = async (): Promise<void> => void times[way].push(await timed(senders, way, request));
      rates[way].push(await rate(crowd, () => fromCallers(callers, crowd, task)));
    }
  return { times, rates };
};

/** The tenth is what is left of the answer when the machine is busy with something else. */
const shares = [
  ['p10', 0.1],
  ['p50', 0.5],
  ['p99', 0.99],
] as const;

const reportTimes = (name: string, times: ByWay): void => {
  for (const [label, share] of shares) {
    const [direct, bare, gateway] = ways.map((way) => percentile(times[way], share)) as [number, number, number];
    report({ name: `gateway.${name}.${label}`, value: gateway, unit: 'ms', baseline: direct });
    report({ name: `gateway.${name}.added.${label}`, value: gateway - direct, unit: 'ms', baseline: bare - direct });
  }
};

const bench = async (senders: Senders, plan: Plan): Promise<void> => {
  for (const way of ways) await fromCallers(8, warmUp, () => senders[way](plan.request));
  reportTimes(`${plan.name}.callers1`, await alone(senders, plan));
  const { times, rates } = await crowded(senders, plan);
  reportTimes(`${plan.name}.callers${callers}`, times);
  const [direct, bare, gateway] = ways.map((way) => percentile(rates[way], 0.5)) as [number, number, number];
  const name = `gateway.${plan.name}.callers${callers}`;
  report({ name: `${name}.rate`, value: gateway, unit: 'requests/s', baseline: direct });
  report({ name: `${name}.rateOfBareProxy`, value: bare, unit: 'requests/s', baseline: direct });
};

const start = async (): Promise<{ readonly services: Services; readonly admin: Admin; readonly id: string }> => {
  const writer = await freshDatabase();
  const services = await startServices({
    names: ['commands', 'projections', 'read-api'],
    stores: (secret) => ({
      POSTGRES_URL: writer,
      POSTGRES_READER_URL: readerUrl({ url: writer, readerPassword: secret('reader-password') }),
    }),
    // What the limits add is another bench.
    env: { LOG_LEVEL: 'warn', GATEWAY_RATELIMIT_OFF: 'read-user,read-tenant,command-user,command-tenant' },
  });
  const admin = await signIn(services.url, services.secret('bootstrap-code'));
  const { principalId } = await jsonOf(await admin.post('/v1/principals', { principalType: 'PIPELINE' }));
  const id = String(principalId);
  await eventually(async () => {
    const { status } = await admin.get(`/v1/principals/${id}`);
    if (status !== 200) throw new Error(`the row is answered with ${status}`);
  });
  return { services, admin, id };
};

export const parts = ['read', 'command'];

export const run = async (chosen: readonly string[]): Promise<void> => {
  const wanted = (part: string): boolean => chosen.length === 0 || chosen.includes(part);
  const { services, admin, id } = await start();
  if (wanted('read')) {
    const { senders, close } = await openSenders(services, admin, 'read-api');
    const request = { method: 'GET', path: `/v1/principals/${id}` } as const;
    await bench(senders, { name: 'read', request, single: 2_000, crowd: 800 });
    await close();
  }
  if (wanted('command')) {
    const { senders, close } = await openSenders(services, admin, 'commands');
    const request = { method: 'POST', path: '/v1/principals', body: '{"principalType":"PIPELINE"}' } as const;
    await bench(senders, { name: 'command', request, single: 1_000, crowd: 500 });
    await close();
  }
  await services.stop();
  await stopServers();
};
