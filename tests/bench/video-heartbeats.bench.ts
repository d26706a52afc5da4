/** Heartbeats per second of the command API's route, proof checked and appended to Redis, beside bare express with the same bytes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Pool } from 'undici';
import { typescript } from '../support/runner/compiled';
import { stopServers, valkeyForTests } from '../support/servers/shared-servers';
import { fromCallers, percentile, rate, report } from './measure';
import { heartbeatRequest } from './video/heartbeat-requests';

const callers = 32;
const perRound = 4_000;
const rounds = 5;
const ways = ['ours', 'bare'] as const;
type Request = ReturnType<typeof heartbeatRequest>;

const startServer = async (kind: (typeof ways)[number], redisUrl: string) => {
  const script = join(__dirname, 'video', 'heartbeat-server.main.ts');
  const child = spawn(process.execPath, [...typescript(), script, kind, redisUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const pool = new Pool((JSON.parse(line) as { listening: string }).listening, { connections: callers, pipelining: 1 });
  const send = async (request: Request): Promise<void> => {
    const { statusCode, body } = await pool.request(request);
    const text = await body.text();
    if (statusCode !== 202) throw new Error(`${kind} answers ${statusCode}: ${text}`);
  };
  const stop = async (): Promise<void> => {
    await pool.close();
    child.kill();
    await once(child, 'exit');
  };
  return { send, stop };
};

export const parts = ['heartbeat'];

export const run = async (): Promise<void> => {
  const { url } = await valkeyForTests();
  const servers = { ours: await startServer('ours', url), bare: await startServer('bare', url) };
  const rates = { ours: [] as number[], bare: [] as number[] };
  const requests = (): readonly Request[] => Array.from({ length: perRound }, (_, number) => heartbeatRequest(number));
  for (let round = 0; round <= rounds; round += 1)
    for (const way of ways) {
      const made = requests();
      const measured = await rate(perRound, () =>
        fromCallers(callers, perRound, (index) => servers[way].send(made[index] as Request)),
      );
      // The first round is for the compilers.
      if (round > 0) rates[way].push(measured);
    }
  const [value, baseline] = [percentile(rates.ours, 0.5), percentile(rates.bare, 0.5)];
  report({ name: 'video-heartbeats', value, unit: 'requests/s', baseline });
  await Promise.all([servers.ours.stop(), servers.bare.stop()]);
  await stopServers();
};
