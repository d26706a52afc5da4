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

interface BenchRequest {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/** Two limits each: of the person and of the tenant. */
const requests: readonly BenchRequest[] = [
  { name: 'read', method: 'GET', path: '/v1/things' },
  { name: 'command', method: 'POST', path: '/v1/things', body: '{"text":"x"}' },
];

const openGateway = async (behind: number, url: string, kind: Kind) => {
  const { child, port } = await startListening([
    'tests/bench/limit/gateway/gateway.main.ts',
    String(behind),
    url,
    kind,
  ]);
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: callers, pipelining: 1 });
  const authorization = `Bearer ${tokenAt(Date.now())}`;
  const send = async ({ method, path, body }: BenchRequest): Promise<number> => {
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
    send,
    close: async () => {
      await pool.close();
      child.kill();
    },
  };
};

type Senders = { readonly [K in Kind]: (request: BenchRequest) => Promise<number> };

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
const alone = async (senders: Senders, request: BenchRequest): Promise<void> => {
  const times = empty();
  for (let time = 0; time < single; time += 1) for (const kind of kinds) times[kind].push(await senders[kind](request));
  reportTimes(`${request.name}.callers1`, times);
};

const crowded = async (senders: Senders, request: BenchRequest): Promise<void> => {
  const [times, rates] = [empty(), empty()];
  for (let round = 0; round < rounds; round += 1)
    for (const kind of kinds) {
      const task = async (): Promise<void> => void times[kind].push(await senders[kind](request));
      rates[kind].push(await rate(crowd, () => fromCallers(callers, crowd, task)));
    }
  reportTimes(`${request.name}.callers${callers}`, times);
  const [without, withLimits] = [percentile(rates.none, 0.5), percentile(rates.own, 0.5)];
  const name = `limit-gateway.${request.name}.callers${callers}.rate`;
  report({ name, value: withLimits, unit: 'requests/s', baseline: without });
};

export const parts = requests.map(({ name }) => name);

export const run = async (chosen: readonly string[]): Promise<void> => {
  const service = await startHttpService([
    jwksRoute,
    echoRoute('get', '/v1/things', { scopes: ['things:read'] }),
    echoRoute('post', '/v1/things', { scopes: ['things:write'] }),
  ]);
  const { url } = await valkeyForTests();
  const [none, own] = [await openGateway(service.port, url, 'none'), await openGateway(service.port, url, 'own')];
  const senders: Senders = { none: none.send, own: own.send };
  for (const request of requests.filter(({ name }) => chosen.length === 0 || chosen.includes(name))) {
    for (const kind of kinds) await fromCallers(8, warmUp, () => senders[kind](request));
    await alone(senders, request);
    await crowded(senders, request);
  }
  await Promise.all([none.close(), own.close(), service.close()]);
  await stopServers();
};
