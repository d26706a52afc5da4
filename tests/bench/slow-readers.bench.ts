/** Ten thousand clients, half of each transport, that follow through gateways and never read: memory, and what others notice. */
import { execFileSync } from 'node:child_process';
import type { Session } from '../faults/system/harness/admin-session';
import { appendBurst, memoryOf } from '../faults/system/harness/event-burst';
import { openSystem, type System } from '../faults/system/harness/fixture';
import { startLoad } from '../faults/system/harness/load';
import type { Copy } from '../faults/system/harness/process-copy';
import { type Crowd, openSlowCrowd } from '../faults/system/harness/stalled-clients';
import { verifyFollowers, verifyLog } from '../faults/system/harness/verify';
import { percentile, report } from './measure';

const clients = 10_000;
/** Each is two sockets of the gateway, which may open only so many files: what is too much for one copy goes to several. */
const openFiles = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }));
const copies = Math.ceil((2 * clients) / (openFiles - 200));
const ofEach = Math.ceil(clients / copies / 2);
const rounds = 6;
const readsPerSample = 100;
/** Every event goes to every client until its buffers in the kernel are full, so there are few. */
const poured = { events: 60, bytes: 500 };

/** Two follow for the system itself, through different copies where there are several. */
const most = String(2 * ofEach + Math.ceil(2 / copies));
const places = { STREAMS_IN_ALL: most, STREAMS_OF_ONE_TENANT: most, STREAMS_OF_ONE_PRINCIPAL: most };

const latencies = async (session: Session, name: string): Promise<void> => {
  const taken: number[] = [];
  for (let count = 0; count < readsPerSample; count += 1) {
    const began = performance.now();
    await session.send('GET', `/v1/principals/${session.principalId}`);
    taken.push(performance.now() - began);
  }
  for (const share of [0.5, 0.99])
    report({ name: `slow-readers.${name}.p${share * 100}`, value: percentile(taken, share), unit: 'ms' });
};

const heapOf = async (port: number): Promise<number> => {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^nodejs_heap_size_used_bytes\S* (\S+)$/m.exec(metrics)?.[1]);
};

const watched = ({ service, ports }: Copy) => {
  const reportMemory = (name: string, bytes: number): void =>
    report({ name: `slow-readers.${name}`, value: bytes / 2 ** 20, unit: 'MiB' });
  return async (name: string): Promise<void> => {
    for (const part of ['read-api', 'gateway'] as const)
      reportMemory(`${name}.${part}`, memoryOf(Number(service(part).pid())));
    reportMemory(`${name}.read-api.heap`, await heapOf(ports['read-api']));
  };
};

const openCrowds = async (system: System): Promise<readonly Crowd[]> => {
  const crowds: Crowd[] = [];
  for (const { url } of system.copies) crowds.push(await openSlowCrowd(url, system.session.token, ofEach));
  return crowds;
};

export const run = async (): Promise<void> => {
  const system = await openSystem({ name: 'bench-slow', copies, env: () => places });
  const { session } = system;
  const memory = watched(system.copies[0] as Copy);
  report({ name: 'slow-readers.clients', value: 2 * ofEach * copies, unit: `clients of ${copies} gateways` });
  try {
    await latencies(session, 'read.before');
    await memory('memory.before');
    const crowds = await openCrowds(system);
    await memory('memory.open');
    const refused = await session.send('GET', '/v1/security/events/stream');
    console.error(JSON.stringify({ refused: refused?.status, seen: session.seen().refused }));
    const load = startLoad(session, system.ledger);
    for (let round = 1; round <= rounds; round += 1) {
      await appendBurst(system, poured);
      await load.progress();
      await memory(`memory.round${round}`);
    }
    await latencies(session, 'read.meanwhile');
    await load.stop();
    report({ name: 'slow-readers.commands', value: system.ledger.length, unit: 'acknowledged meanwhile' });
    console.error(JSON.stringify(session.seen()));
    await verifyLog(system);
    await verifyFollowers(system);
    for (const crowd of crowds) crowd.close();
  } finally {
    await system.close();
  }
};
