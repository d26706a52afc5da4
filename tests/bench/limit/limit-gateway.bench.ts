/** What limits cost each request that comes through the gateway: the same one with them and without, in turns. */
import { Pool } from 'undici';
import { jwksRoute, tokenAt } from '../../support/gateway/gateway';
import { echoRoute } from '../../support/gateway/gateway-services';
import { startHttpService } from '../../support/http/http-service';
import { startListening } from '../../support/servers/event-store-node';
import { stopServers, valkeyForTests } from '../../support/servers/shared-servers';
import { fromCallers, percentile, rate, report } from '../measure';

const kinds = ['none', 'own'] as const;
type Kind = (typeof kinds)[number];
type ByKind = { readonly [K in Kind]: number[] };

const warmUp = 1_000;
const single = 3_000;
const crowd = 1_000;
const rounds = 6;
const callers = 32;

interface Ask {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/** Two limits each: of the person and of the tenant. */
const asks: readonly Ask[] = [
  { name: 'read', method: 'GET', path: '/v1/things' },
  { name: 'command', method: 'POST', path: '/v1/things', body: '{"text":"x"}' },
];

const openDoor = async (behind: number, url: string, kind: Kind) => {
  const { child, port } = await startListening([
    'tests/bench/limit/gateway/gateway.main.ts',
    String(behind),
    url,
    kind,
  ]);
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: callers, pipelining: 1 });
  const authorization = `Bearer ${tokenAt(Date.now())}`;
  const door = async ({ method, path, body }: Ask): Promise<number> => {
    const began = performance.now();
    const content = body === undefined ? {} : { body };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const headers = { authorization, ...type };
    const { statusCode, body: answer } = await pool.request({ method, path, headers, ...content });
    await answer.dump();
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
    return performance.now() - began;
  };
  return {
    door,
    close: async () => {
      await pool.close();
      child.kill();
    },
  };
};

type Doors = { readonly [K in Kind]: (ask: Ask) => Promise<number> };

const empty = (): ByKind => ({ none: [], own: [] });

const reportTimes = (name: string, { none, own }: ByKind): void => {
  for (const [label, share] of [
    ['p50', 0.5],
    ['p90', 0.9],
    ['p99', 0.99],
  ] as const) {
    const [without, withLimits] = [percentile(none, share), percentile(own, share)];
    report({ name: `limit-gateway.${name}.${label}`, value: withLimits, unit: 'ms', baseline: without });
    report({ name: `limit-gateway.${name}.added.${label}`, value: withLimits - without, unit: 'ms' });
  }
};

/** Request by request in turns, so that both feel whatever else the machine does. */
const alone = async (doors: Doors, ask: Ask): Promise<void> => {
  const times = empty();
  for (let time = 0; time < single; time += 1) for (const kind of kinds) times[kind].push(await doors[kind](ask));
  reportTimes(`${ask.name}.callers1`, times);
};

const crowded = async (doors: Doors, ask: Ask): Promise<void> => {
  const [times, rates] = [empty(), empty()];
  for (let round = 0; round < rounds; round += 1)
    for (const kind of kinds) {
      const task = async (): Promise<void> => void times[kind].push(await doors[kind](ask));
      rates[kind].push(await rate(crowd, () => fromCallers(callers, crowd, task)));
    }
  reportTimes(`${ask.name}.callers${callers}`, times);
  const [without, withLimits] = [percentile(rates.none, 0.5), percentile(rates.own, 0.5)];
  const name = `limit-gateway.${ask.name}.callers${callers}.rate`;
  report({ name, value: withLimits, unit: 'requests/s', baseline: without });
};

export const parts = asks.map(({ name }) => name);

export const run = async (chosen: readonly string[]): Promise<void> => {
  const service = await startHttpService([
    jwksRoute,
    echoRoute('get', '/v1/things', { scopes: ['things:read'] }),
    echoRoute('post', '/v1/things', { scopes: ['things:write'] }),
  ]);
  const { url } = await valkeyForTests();
  const [none, own] = [await openDoor(service.port, url, 'none'), await openDoor(service.port, url, 'own')];
  const doors: Doors = { none: none.door, own: own.door };
  for (const ask of asks.filter(({ name }) => chosen.length === 0 || chosen.includes(name))) {
    for (const kind of kinds) await fromCallers(8, warmUp, () => doors[kind](ask));
    await alone(doors, ask);
    await crowded(doors, ask);
  }
  await Promise.all([none.close(), own.close(), service.close()]);
  await stopServers();
};
