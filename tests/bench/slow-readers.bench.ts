/** Ten thousand clients, half of each transport, that follow through the gateway and never read: memory, and what others notice. */
import { execFileSync } from 'node:child_process';
import type { Copy } from '../e2e/faults/copy';
import { startLoad } from '../e2e/faults/load';
import { memoryOf, pour } from '../e2e/faults/pour';
import type { Session } from '../e2e/faults/session';
import { openSlowCrowd } from '../e2e/faults/slow-crowd';
import { openSystem } from '../e2e/faults/system';
import { followersHold, logHolds } from '../e2e/faults/verify';
import { percentile, report } from './measure';

/** Each is two sockets of the gateway, which may open only so many files. */
const openFiles = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }));
const clients = Math.min(10_000, 2 * Math.floor((openFiles - 200) / 4));
const rounds = 3;
const asked = 100;
/** Every event goes to every client until its buffers in the kernel are full, so there are few. */
const poured = { events: 60, bytes: 500 };

/** Two follow for the system itself. */
const most = String(clients + 2);
const places = { STREAMS_IN_ALL: most, STREAMS_OF_ONE_TENANT: most, STREAMS_OF_ONE_PRINCIPAL: most };

const latencies = async (session: Session, name: string): Promise<void> => {
  const taken: number[] = [];
  for (let count = 0; count < asked; count += 1) {
    const began = performance.now();
    await session.ask('GET', `/v1/principals/${session.principalId}`);
    taken.push(performance.now() - began);
  }
  for (const share of [0.5, 0.99])
    report({ name: `slow-readers.${name}.p${share * 100}`, value: percentile(taken, share), unit: 'ms' });
};

const watched = ({ services }: Copy) => {
  const parts = ['read-api', 'gateway'] as const;
  return (name: string): void => {
    for (const part of parts)
      report({
        name: `slow-readers.${name}.${part}`,
        value: memoryOf(Number(services[part].pid())) / 2 ** 20,
        unit: 'MiB',
      });
  };
};

export const run = async (): Promise<void> => {
  const system = await openSystem({ name: 'bench-slow', env: () => places });
  const { session, copies } = system;
  const memory = watched(copies[0] as Copy);
  report({ name: 'slow-readers.clients', value: clients, unit: 'clients' });
  try {
    await latencies(session, 'read.before');
    memory('memory.before');
    const crowd = await openSlowCrowd(copies[0]?.url as string, session.token, clients / 2);
    memory('memory.open');
    const refused = await session.ask('GET', '/v1/security/events/stream');
    console.error(JSON.stringify({ refused: refused?.status, seen: session.seen().refused }));
    const load = startLoad(session, system.ledger);
    for (let round = 1; round <= rounds; round += 1) {
      await pour(system, poured);
      await load.progress();
      memory(`memory.round${round}`);
    }
    await latencies(session, 'read.meanwhile');
    await load.stop();
    report({ name: 'slow-readers.commands', value: system.ledger.length, unit: 'acknowledged meanwhile' });
    console.error(JSON.stringify(session.seen()));
    await logHolds(system);
    await followersHold(system);
    crowd.close();
  } finally {
    await system.close();
  }
};
