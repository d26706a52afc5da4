/** The whole system with stores of its own, a session, followers of its stream, and the ledger of what was acknowledged. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureSecrets } from '../../../../infra/operate/launch/secret-files';
import { keysDirectory } from '../../../../infra/operate/launch/service-environment';
import { type Followed, startFollower } from '../../../support/http/stream-followers';
import { skip } from '../../../support/runner/skip';
import { canMount } from '../../../support/servers/small-disk';
import { openSession, type Session } from './admin-session';
import { untilCaughtUp, untilHealthy } from './health';
import type { Acknowledged } from './load';
import { type Copy, startCopy } from './process-copy';
import { mountDisks, unmountDisks } from './small-disks';
import { type Stores, startStores } from './stores';

export interface System {
  readonly data: string;
  readonly stores: Stores;
  readonly copies: readonly Copy[];
  readonly session: Session;
  readonly ledger: Acknowledged[];
  /** Principals whose timers were set by a clock that was ahead. */
  readonly notDue: Set<string>;
  readonly hasSmallDisks: boolean;
  readonly followers: readonly Followed[];
  /** All is whole, and no view behind. */
  readonly recovered: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface SystemOptions {
  readonly name: string;
  readonly copies?: number;
  /** Of each copy. */
  readonly env?: (data: string, copy: string) => Readonly<Record<string, string>>;
  /** Connections may break while gateways are killed. */
  readonly breaks?: boolean;
  /** Stores that are elsewhere, by the variables that name them; the others are started. */
  readonly stores?: Readonly<Record<string, string>>;
  /** A small file system of its own for each store, where this machine allows mounting. */
  readonly disks?: boolean;
}

const systemCanRun = (): boolean =>
  ['EVENTSTORE_URL', 'POSTGRES_URL', 'REDIS_URL', 'ELASTICSEARCH_URL'].every((name) => process.env[name] === undefined);

/** The file by which `npm start` passes addresses to tools. */
const writeRunFile = (data: string, { direct }: Stores): void => {
  const secrets = ensureSecrets(data);
  const keys = {
    MASTER_KEY_FILE: secrets['master-key'],
    VIEW_KEY_FILE: secrets['view-key'],
    KEYS_DIR: keysDirectory(data),
    BLOBS_KEY_FILE: secrets['blobs-key'],
    BLOBS_DIR: join(data, 'blobs'),
  };
  const { EVENTSTORE_URL, EVENTSTORE_READER_URL, ...others } = direct;
  const log = { EVENTSTORE_URL: EVENTSTORE_READER_URL, EVENTSTORE_WRITER_URL: EVENTSTORE_URL };
  writeFileSync(join(data, 'run.json'), JSON.stringify({ ...others, ...log, ...keys }), { mode: 0o600 });
};

const preloads = [join(__dirname, 'clock-preload.ts')];
const changes = { preload: join(__dirname, 'sample-preload.ts'), services: ['processes', 'workers'] };

/** By how many milliseconds the clocks of our processes are wrong. */
export const clockFile = (data: string): string => join(data, 'clock');

const startCopies = (data: string, stores: Stores, { copies = 1, env }: SystemOptions): Promise<readonly Copy[]> =>
  Promise.all(
    Array.from({ length: copies }, (_, index) => {
      const name = String(index);
      const given = { CLOCK_FILE: clockFile(data), ...env?.(data, name) };
      return startCopy({ name, data, stores: stores.proxied, preloads, changes, env: given });
    }),
  );

const startFollowers = (session: Session, copies: readonly Copy[], over: () => boolean) => {
  const headers = () => ({ authorization: `Bearer ${session.token()}` });
  const at = (index: number) => ({ port: (copies[index % copies.length] as Copy).ports.gateway, headers });
  return Promise.all([startFollower('sse', at(0), over), startFollower('websocket', at(1), over)]);
};

const opened = async (data: string, stores: Stores, options: SystemOptions) => {
  const copies = await startCopies(data, stores, options);
  writeRunFile(data, stores);
  const code = readFileSync(ensureSecrets(data)['bootstrap-code'], 'utf8').trim();
  const addresses = copies.map(({ url }) => url);
  const session = await openSession(addresses, code);
  session.mayBreak(options.breaks ?? false);
  let over = false;
  const followers = await startFollowers(session, copies, () => over);
  return {
    data,
    stores,
    copies,
    session,
    followers,
    ledger: [],
    notDue: new Set<string>(),
    recovered: async () => {
      await untilHealthy(copies);
      await untilCaughtUp(copies);
    },
    close: async () => {
      over = true;
      await session.close();
      await Promise.all(copies.map((copy) => copy.stop()));
      await stores.close();
      await Promise.all(followers.map(({ done }) => done));
    },
  };
};

export const openSystem = async (options: SystemOptions): Promise<System> => {
  const data = mkdtempSync(join(tmpdir(), `septet-${options.name}-`));
  const hasSmallDisks = options.disks === true && canMount();
  if (hasSmallDisks) mountDisks(data);
  const remove = (): void => {
    if (hasSmallDisks) unmountDisks(data);
    rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  };
  writeFileSync(clockFile(data), '0');
  const stores = await startStores(data, options.stores);
  try {
    const system = await opened(data, stores, options);
    return { ...system, hasSmallDisks, close: () => system.close().finally(remove) };
  } catch (error) {
    await stores.close().finally(remove);
    throw error;
  }
};

export interface UsedSystem {
  readonly system: System;
}

/** A system of its own for a describe; skipped where the environment provides the stores. */
export const useSystem = (options: SystemOptions): UsedSystem => {
  let system: System | undefined;
  before(async function () {
    if (!systemCanRun()) skip(this, 'stores given by their URLs may not be stopped');
    system = await openSystem(options);
  });
  after(() => system?.close());
  return {
    get system() {
      if (system === undefined) throw new Error('The system is not up.');
      return system;
    },
  };
};
