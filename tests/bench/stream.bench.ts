/** An event appended until 1,000 clients of each transport have it, through the gateway, against bare http and ws; and 10,000 who do not read. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isLeft } from 'fp-ts/Either';
import { principals } from '../../domain/identity/principal/events';
import { registered } from '../identity/examples';
import { metadata } from '../identity/read-api/fixture';
import { sampleIdentity, signedHeader } from '../support/http/http-service';
import { startStreamProcesses } from '../support/processes/stream-processes';
import { startListening } from '../support/servers/event-store-node';
import { percentile, report } from './measure';
import { type Crowd, openCrowd, type Target, type Transport } from './stream/clients';

export const parts = ['fan-out', 'slow'];

const clients = 1_000;
const slowClients = 10_000;
const rounds = 60;
const warming = 10;
const transports: readonly Transport[] = ['sse', 'websocket'];
const limits = { STREAMS_IN_ALL: '20000', STREAMS_OF_ONE_TENANT: '20000', STREAMS_OF_ONE_PRINCIPAL: '20000' };

type Processes = Awaited<ReturnType<typeof startStreamProcesses>>;

const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

const append = async ({ store }: Processes, principalId: string): Promise<void> => {
  const event = { ...registered, data: { ...registered.data, principalId, tenantId: 'acme' } };
  const stored = { id: randomUUID(), ...principals.encode(event as never), metadata: metadata('acme') };
  const appended = await store.append(`identity.principal-acme.${principalId}`, 'any', [stored]);
  if (isLeft(appended)) throw new Error(JSON.stringify(appended.left));
};

const paths = { sse: '/v1/security/events/stream', websocket: '/v1/streams' };
const first = '{"type":"subscribe","id":"s","stream":"security-events"}';

const through = (all: Processes, transport: Transport): Target => ({
  port: all.port,
  transport,
  path: paths[transport],
  headers: () => all.headers({ scopes: ['security:read'] }),
  ...(transport === 'websocket' ? { first } : {}),
});

/** Past the gateway: 10,000 clients of it would be 20,000 connections of its. */
const direct = (all: Processes, transport: Transport): Target => ({
  ...through(all, transport),
  port: all.readPort,
  headers: () => ({
    'septet-identity': signedHeader('GET', paths[transport], { ...sampleIdentity, scopes: ['security:read'] }),
  }),
});

const times = async (crowd: Crowd, send: (text: string) => Promise<void>): Promise<readonly number[]> => {
  const all: number[] = [];
  for (let round = 0; round < rounds + warming; round += 1) {
    const text = `p-${randomUUID()}`;
    const received = crowd.received(text, performance.now());
    await send(text);
    const taken = await received;
    if (round >= warming) all.push(...taken);
  }
  return all;
};

const floorOf = async (transport: Transport): Promise<readonly number[]> => {
  const { child, port } = await startListening(['tests/bench/stream/floor.main.ts']);
  const crowd = await openCrowd({ port, transport, path: '/', headers: () => ({}) }, clients);
  const found = await times(crowd, async (text) => {
    const body = JSON.stringify({ text, rest: 'x'.repeat(500) });
    await (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })).text();
  });
  crowd.close();
  child.kill('SIGKILL');
  return found;
};

const fanOut = async (all: Processes): Promise<void> => {
  for (const transport of transports) {
    const pids = [all.parts['read-api'].pid(), all.parts.gateway.pid()] as const;
    const [readApi, gateway] = pids.map(memoryOf) as [number, number];
    const crowd = await openCrowd(through(all, transport), clients);
    const found = await times(crowd, (text) => append(all, text));
    const floor = await floorOf(transport);
    for (const share of [0.5, 0.99]) {
      const name = `stream.${transport}${clients}.p${share * 100}`;
      report({ name, value: percentile(found, share), unit: 'ms', baseline: percentile(floor, share) });
    }
    const each = (pid: number, before: number): number => (memoryOf(pid) - before) / clients;
    report({ name: `stream.${transport}.memory.readApi`, value: each(pids[0], readApi), unit: 'KiB/client' });
    report({ name: `stream.${transport}.memory.gateway`, value: each(pids[1], gateway), unit: 'KiB/client' });
    crowd.close();
  }
};

/** What is kept shows when the later ones add nothing. */
const slowParts = 6;
const slowEvents = 20;

const slow = async (all: Processes): Promise<void> => {
  const pid = all.parts['read-api'].pid();
  const before = memoryOf(pid);
  const crowds: Crowd[] = [];
  for (const transport of transports) crowds.push(await openCrowd(direct(all, transport), slowClients / 2));
  for (const { stopReading } of crowds) stopReading();
  const opened = memoryOf(pid);
  const reader = await openCrowd(direct(all, 'sse'), 1);
  const taken: number[] = [];
  const send = async (): Promise<void> => {
    for (let count = 0; count < slowEvents; count += 1) {
      const text = `p-${randomUUID()}`;
      const received = reader.received(text, performance.now());
      await append(all, text);
      taken.push(...(await received));
    }
  };
  report({ name: 'stream.slow10000.memory.open', value: (opened - before) / slowClients, unit: 'KiB/client' });
  for (let last = opened, part = 1; part <= slowParts; part += 1) {
    await send();
    const now = memoryOf(pid);
    report({ name: `stream.slow10000.memory.part${part}`, value: (now - last) / slowClients, unit: 'KiB/client' });
    last = now;
  }
  report({ name: 'stream.slow10000.reader.p50', value: percentile(taken, 0.5), unit: 'ms' });
  for (const { close } of [...crowds, reader]) close();
};

export const run = async (chosen: readonly string[]): Promise<void> => {
  const wanted = (part: string): boolean => chosen.length === 0 || chosen.includes(part);
  const all = await startStreamProcesses(limits);
  if (wanted('fan-out')) await fanOut(all);
  if (wanted('slow')) await slow(all);
  await all.close();
};
