/** The event store, the query API and the gateway as processes of their own, each of which can be killed and started again. */
import { type ChildProcess, fork } from 'node:child_process';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { freePort } from '../../../infra/operate/launch/free-port';
import type { EventStore } from '../../../infra/ports/event-store';
import { entryPath } from '../../../infra/server/bundle/entry-path';
import { temporaryDirectory } from '../files/temporary-directory';
import { jwksRoute, tokenAt } from '../gateway/gateway';
import { startHttpService } from '../http/http-service';
import { gatewayVariables } from '../http/internal-keys';
import { type NodeProcess, startEventStoreNode } from '../servers/event-store-node';
import { exitOf } from './child-exit';

const started = (script: string, env: Record<string, string>): Promise<ChildProcess> => {
  const options = { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] as never };
  const child = fork(entryPath(script), [], { ...options, env: { ...process.env, ...env } });
  return new Promise((resolve, reject) => {
    child.once('message', () => resolve(child));
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
  });
};

export interface Part {
  readonly pid: () => number;
  /** Ends it by the signal and starts it again on the same port; resolves when it takes work. */
  readonly restart: (signal: 'SIGKILL' | 'SIGTERM') => Promise<void>;
  readonly stop: () => Promise<void>;
}

export const part = async (script: string, env: Record<string, string>): Promise<Part> => {
  let child = await started(script, env);
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    child.kill(signal);
    await exitOf(child);
  };
  return {
    pid: () => child.pid as number,
    restart: async (signal) => {
      await end(signal);
      child = await started(script, env);
    },
    stop: () => end('SIGTERM'),
  };
};

const onNode = async (
  data: string,
): Promise<{ readonly node: Part; readonly url: string; readonly store: EventStore }> => {
  let running: NodeProcess = await startEventStoreNode(data);
  const { port, url } = running;
  const node: Part = {
    pid: () => running.pid,
    restart: async (signal) => {
      await (signal === 'SIGKILL' ? running.kill() : running.stop());
      running = await startEventStoreNode(data, port);
    },
    stop: async () => void (await running.stop()),
  };
  return { node, url, store: openEventStore({ url }) };
};

const port = async (): Promise<number> => (await freePort()) as number;

export const startStreamProcesses = async (more: Record<string, string> = {}) => {
  const { path, remove } = temporaryDirectory('streams');
  const { node, url: EVENTSTORE_URL, store } = await onNode(path);
  const commands = await startHttpService([jwksRoute]);
  const [readPort, gatewayPort] = [await port(), await port()];
  const shared = { EVENTSTORE_URL, ...gatewayVariables, LOG_LEVEL: 'error', ...more };
  const readApi = await part('read-api/query-api.main', {
    ...shared,
    CURSOR_KEY: 'c'.repeat(43),
    PORT: String(readPort),
  });
  const gateway = await part('infra/gateway/main', {
    ...shared,
    PORT: String(gatewayPort),
    PUBLIC_URL: `http://127.0.0.1:${gatewayPort}`,
    ISSUER: 'http://septet.test',
    COMMANDS_URL: commands.url,
    READ_API_URL: `http://127.0.0.1:${readPort}`,
  });
  const parts = { gateway, 'read-api': readApi, 'event store': node };
  return {
    parts,
    store,
    port: gatewayPort,
    readPort,
    headers: (changes: object = {}) => ({ authorization: `Bearer ${tokenAt(Date.now(), changes)}` }),
    close: async () => {
      await store.close();
      for (const { stop } of Object.values(parts)) await stop();
      await commands.close();
      remove();
    },
  };
};
