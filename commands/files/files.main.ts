/** `npm run files`: what operators do about the files of a tenant: reconcile them at once, and limit what they take up. */
import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { type Either, isLeft } from 'fp-ts/Either';
import { reconciliationQueue } from '../../domain/files/reconcile-files-on-reconciled/process';
import type { StorageLimits } from '../../domain/files/storage/events';
import { limitsOf } from '../../domain/files/storage/state';
import type { Instant } from '../../domain/kernel/codec';
import { TenantId } from '../../domain/kernel/ids';
import { openEventStore } from '../../infra/adapters/eventstore/event-store';
import { openDurablePool } from '../../infra/adapters/postgres/pool';
import { createPostgresWorkQueue } from '../../infra/adapters/postgres/processes/work-queue';
import { withConnectionFileToAppend } from '../../infra/operate/launch/connection-file';
import { readStorage, storageRules } from '../../infra/server/files/storage-usage';
import { printLine, readCommand, refuseCommand, runTool, stop } from '../../infra/server/runtime/command-line';
import { loadConfig, optional, variables } from '../../infra/server/runtime/config';
import { commandSet } from '../../packages/command-line/src/index';
import { noCommandMetrics } from '../kernel/command-metrics';
import { accountStorage } from './storage/account-storage';

const tenantArgument = [{ name: 'tenant-id', about: 'whose files' }] as const;

export const program = commandSet({
  name: 'npm run files --',
  about: 'Reconciles the files of a tenant with what is stored of them, and limits what they take up.',
  commands: {
    reconcile: {
      about:
        'Queues a reconciliation at once. A worker removes objects and passages that belong to no version, indexes missing passages again and corrects the used storage; what it finds is in its log.',
      arguments: tenantArgument,
    },
    usage: { about: 'Prints how much the files take up, and may.', arguments: tenantArgument },
    limit: {
      about: 'Gives the tenant a limit of its own; without options, the one of every tenant again.',
      arguments: tenantArgument,
      options: {
        bytes: { type: 'string', value: 'N', about: 'of all files together; what is not given stays' },
        files: { type: 'string', value: 'N', about: 'how many files; what is not given stays' },
      },
    },
  },
  notes: ['Septet must be running. DATA_DIR names its data directory (default: .data).'],
});

const must = <A>(answer: Either<{ readonly detail: string }, A>): A =>
  isLeft(answer) ? stop(answer.left.detail, 1) : answer.right;

const config = { EVENTSTORE_URL: optional(variables.EVENTSTORE_URL), POSTGRES_URL: optional(variables.POSTGRES_URL) };

const urlOf = (variable: keyof typeof config): string => {
  const loaded = loadConfig(config, withConnectionFileToAppend(process.env));
  if (isLeft(loaded)) return stop(`Not usable: ${JSON.stringify(loaded.left)}`, 2);
  return loaded.right[variable] ?? stop(`${variable} is not set.`, 2);
};

const queueReconciliation = async (tenant: TenantId): Promise<void> => {
  const pool = openDurablePool({ url: urlOf('POSTGRES_URL') });
  const id = randomUUID();
  must(
    await createPostgresWorkQueue(pool).enqueue({
      ...{ queue: reconciliationQueue.name, key: id, tenant },
      payload: reconciliationQueue.payload.encode({ isRequested: true }),
      cause: { correlationId: id, causationId: id, depth: 1 },
    }),
  );
  await pool.end();
  printLine('Queued; a worker reconciles the files of the tenant now.');
};

const limitOf = (name: string, text: string | undefined, before: number): number => {
  if (text === undefined) return before;
  if (!/^\d{1,15}$/.test(text)) return refuseCommand(program, 'limit', `--${name} must be a whole number.`);
  return Number(text);
};

interface WantedLimits {
  readonly bytes?: string | undefined;
  readonly files?: string | undefined;
}

const showOrLimit = async (tenant: TenantId, wanted: WantedLimits | undefined): Promise<void> => {
  const store = openEventStore({ url: urlOf('EVENTSTORE_URL') });
  const read = async () => must(await readStorage({ store, cache: undefined }, storageRules, tenant));
  if (wanted !== undefined) {
    const before = limitsOf(await read());
    const isReset = wanted.bytes === undefined && wanted.files === undefined;
    const limits: StorageLimits = {
      bytes: limitOf('bytes', wanted.bytes, before.bytes),
      files: limitOf('files', wanted.files, before.files),
    };
    const commandId = randomUUID();
    const clock = { now: () => new Date().toISOString() as Instant };
    must(
      await accountStorage({ store, clock, commandMetrics: noCommandMetrics }, tenant, {
        command: { type: 'SetStorageLimits', limits: isReset ? null : limits },
        actor: `operator:${userInfo().username}`,
        correlationId: commandId,
        commandId,
      }),
    );
  }
  const { usedBytes, files, reservations, ...more } = await read();
  const limits = limitsOf({ usedBytes, files, reservations, ...more });
  printLine(
    `${usedBytes} of ${limits.bytes} bytes, ${files} of ${limits.files} files, ${reservations.size} open uploads`,
  );
  await store.close();
};

const main = async (): Promise<void> => {
  const wanted = readCommand(program);
  const tenant = wanted.arguments['tenant-id'];
  if (!TenantId.is(tenant))
    return refuseCommand(program, wanted.command, '<tenant-id> has lower-case letters, digits and dashes, up to 63.');
  switch (wanted.command) {
    case 'reconcile':
      return queueReconciliation(tenant);
    case 'usage':
      return showOrLimit(tenant, undefined);
    case 'limit':
      return showOrLimit(tenant, wanted.options);
  }
};

if (require.main === module) runTool(main);
