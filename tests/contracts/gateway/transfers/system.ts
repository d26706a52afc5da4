/** The gateway as a process of its own between a client of the test and services of the test. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../../infra/operate/launch/free-port';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { jwksRoute, tokenAt } from '../../../support/gateway/gateway';
import { echoRoute } from '../../../support/gateway/gateway-services';
import { startHttpService } from '../../../support/http/http-service';
import { gatewayVariables } from '../../../support/http/internal-keys';
import { typescript } from '../../../support/runner/compiled';
import { startNodeHere } from '../../../support/servers/event-store-node';
import { filmRoutes } from './films';
import { createRunnerEndpoint } from './runners';
import { startTransferService } from './service';

const startGatewayProcess = async (env: Record<string, string>): Promise<ChildProcess> => {
  const child = fork(join(__dirname, 'gateway.main.ts'), [], {
    execArgv: typescript(),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
  });
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the gateway ended with ${code}`)));
  await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined);
  return child;
};

/** Resident memory of a process in MiB. */
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

export const startTransferSystem = async (env: Record<string, string> = {}) => {
  const { path, remove } = temporaryDirectory('transfers');
  const log = await startNodeHere(path);
  const commands = await startHttpService([
    jwksRoute,
    echoRoute('post', '/shelves/:shelfId/events', { scopes: ['things:write'] }),
  ]);
  const readApi = await startHttpService([
    echoRoute('get', '/shelves/:shelfId/actions/runs', { scopes: ['things:read'] }),
    { ...echoRoute('post', '/v1/questions', { scopes: ['things:read'] }), question: true, sensitive: false },
  ]);
  const service = await startTransferService();
  const runners = createRunnerEndpoint();
  const films = await startHttpService(filmRoutes, { upgrade: runners.upgrade });
  const port = (await freePort()) as number;
  const gateway = await startGatewayProcess({
    ...gatewayVariables,
    EVENTSTORE_URL: log.url,
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ISSUER: 'http://septet.test',
    COMMANDS_URL: commands.url,
    READ_API_URL: readApi.url,
    TRANSFERS_URL: service.url,
    FILMS_URL: films.url,
    LOG_LEVEL: 'error',
    ...env,
  });
  const pid = gateway.pid as number;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid,
    service,
    films,
    runners,
    token: (changes: object = {}): string => tokenAt(Date.now(), changes),
    memory: (): number => memoryOf(pid),
    /** The highest memory in MiB while the work runs. */
    peakDuring: async (work: () => Promise<unknown>): Promise<number> => {
      let peak = memoryOf(pid);
      const sampling = setInterval(() => {
        peak = Math.max(peak, memoryOf(pid));
      }, 25);
      await work().finally(() => clearInterval(sampling));
      return peak;
    },
    /** Sends SIGTERM to the gateway. */
    terminate: (): void => void gateway.kill('SIGTERM'),
    ended: once(gateway, 'exit'),
    close: async (): Promise<void> => {
      if (gateway.exitCode === null && gateway.signalCode === null) {
        gateway.kill('SIGTERM');
        await once(gateway, 'exit');
      }
      await service.close();
      await Promise.all([commands.close(), readApi.close(), films.close(), log.stop()]);
      remove();
    },
  };
};

export type TransferSystem = Awaited<ReturnType<typeof startTransferSystem>>;
