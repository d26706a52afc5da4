/**
 * Whether a backup has what the installation has: the log and the tables in it name blobs, repositories and keys, and each must be in it, whatever
 * the reason that it is not. A variable that a tool was not given would else make a backup without them.
 */
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as t from 'io-ts';
import type { Pool } from 'pg';
import { openReferenceReaders } from '../../../../domain/aggregates';
import type { OutsideReference, ReferringEvent } from '../../../../domain/kernel/references';
import { linesOf } from '../../../../packages/eventstore-node/src/transfer/index';
import { schema } from '../../../adapters/postgres/sql';
import { logObjectKey } from '../../../adapters/postgres/workflow/log-objects';
import { logsTable } from '../../../adapters/postgres/workflow/log-schema';
import { sealedKeyIds } from '../../../adapters/vault/event-encryption';
import { schema as vaultSchema } from '../../../adapters/vault/postgres-schema';
import { OperatorError } from '../../launch/operator-error';
import type { Manifest } from '../backup-manifest';
import type { Installation } from '../installation';
import { openBackedUpBlobs } from './blobs';
import { readBackedUpEvents, readLaterEvents } from './event-log';

type Kind = OutsideReference['kind'] | 'personal-key' | 'processes';
type Reference = Omit<OutsideReference, 'kind'> & { readonly kind: Kind };

type Parts = Pick<Manifest, 'log' | 'postgres' | 'blobs' | 'keys'>;

export interface CompletenessCheck {
  readonly from: Installation;
  readonly out: string;
  readonly pool: Pool | undefined;
  readonly parts: Parts;
}

const repositoriesIn = (out: string): string => join(out, 'repositories');
const dumpIn = (out: string, table: string): string => join(out, 'postgres', `${table}.jsonl`);

async function* rowsIn<Row>(path: string, Row: t.Type<Row>): AsyncGenerator<Row> {
  if (!existsSync(path)) return;
  for await (const { number, text } of linesOf(createReadStream(path) as AsyncIterable<Buffer>)) {
    const row: unknown = number === 1 ? undefined : JSON.parse(text);
    if (Row.is(row)) yield row;
  }
}

const PersonalKey = t.type({ id: t.string });
const LogRow = t.type({
  tenant: t.string,
  run_id: t.string,
  job_id: t.string,
  attempt: t.number,
  storage: t.string,
  bytes: t.number,
});

type LogRow = t.TypeOf<typeof LogRow>;

/** Ids of keys of people, also of erased ones. */
const personalKeysIn = async (out: string): Promise<ReadonlySet<string>> => {
  const ids = new Set<string>();
  for await (const { id } of rowsIn(dumpIn(out, `${vaultSchema}.keys`), PersonalKey)) ids.add(id);
  return ids;
};

const KeyFile = t.type({ kid: t.string });

const signingKeysIn = (out: string): ReadonlySet<string> => {
  const directory = join(out, 'keys');
  const files = existsSync(directory) ? readdirSync(directory).filter((name) => name.startsWith('signing-key-')) : [];
  const keys = files.map((name): unknown => JSON.parse(readFileSync(join(directory, name), 'utf8')));
  return new Set(keys.flatMap((key) => (KeyFile.is(key) ? [key.kid] : [])));
};

type IsBackedUp = (reference: Pick<Reference, 'kind' | 'name'>) => boolean;

const openPresence = async ({ out, parts }: CompletenessCheck) => {
  const blobs = openBackedUpBlobs(out, parts.blobs);
  const personal = await personalKeysIn(out);
  const signing = signingKeysIn(out);
  // A process takes its lease before it records anything, and leases stay.
  const hasProcesses = (parts.postgres?.rows[`${schema}.leases`] ?? 0) > 0;
  const isBackedUp: IsBackedUp = ({ kind, name }) => {
    switch (kind) {
      case 'blob':
        return parts.blobs.kind === 'left-out' || blobs.has(name);
      case 'repository':
        return existsSync(join(repositoriesIn(out), name));
      case 'signing-key':
        return !parts.keys || signing.has(name);
      case 'personal-key':
        return personal.has(name);
      case 'processes':
        return hasProcesses;
    }
  };
  return { isBackedUp, close: blobs.close };
};

/** What any event may refer to, by its form alone. */
const commonReferences = ({ type, data }: ReferringEvent): readonly Reference[] => {
  const personal = sealedKeyIds(data).map((name): Reference => ({ kind: 'personal-key', name, owner: name }));
  return type.startsWith('process.')
    ? [...personal, { kind: 'processes', name: 'processes', owner: 'processes' }]
    : personal;
};

/** References of which nothing is backed up, by owner. */
const createMissing = (isBackedUp: IsBackedUp) => {
  const readers = openReferenceReaders();
  const missing = new Map<string, Map<string, Reference>>();
  const removed = new Set<string>();
  const add = (reference: Reference): void => {
    if (removed.has(reference.owner) || isBackedUp(reference)) return;
    const others = missing.get(reference.owner) ?? new Map<string, Reference>();
    missing.set(reference.owner, others.set(reference.name, reference));
  };
  const remove = (owner: string): void => {
    missing.delete(owner);
    removed.add(owner);
  };
  return {
    add,
    apply: (event: ReferringEvent): void => {
      commonReferences(event).forEach(add);
      for (const read of readers) {
        const { added = [], removed: owners = [] } = read(event);
        added.forEach(add);
        owners.forEach(remove);
      }
    },
    remove,
    all: (): readonly Reference[] => [...missing.values()].flatMap((references) => [...references.values()]),
  };
};

type Missing = ReturnType<typeof createMissing>;

type LoggedEvent = Omit<ReferringEvent, 'data'> & { readonly data: Uint8Array };

const decoded = (data: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(data).toString('utf8'));
  } catch {
    // Of others, who use the same event store.
    return undefined;
  }
};

const ownerOfLog = ({ tenant, job_id, attempt }: LogRow): string => `log ${tenant} ${job_id} ${attempt}`;

/** Logs of jobs that were moved to object storage. */
const readDumpedLogs = async ({ out }: CompletenessCheck, missing: Missing): Promise<void> => {
  for await (const row of rowsIn(dumpIn(out, logsTable), LogRow)) {
    if (row.storage !== 'object' || row.bytes === 0) continue;
    const location = { tenantId: row.tenant, runId: row.run_id, jobId: row.job_id, attempt: row.attempt };
    const name = logObjectKey(location as Parameters<typeof logObjectKey>[0]);
    missing.add({ kind: 'blob', name, owner: ownerOfLog(row) });
  }
};

const dropMovedLogs = async (pool: Pool | undefined, missing: Missing): Promise<void> => {
  if (pool === undefined || !missing.all().some(({ owner }) => owner.startsWith('log '))) return;
  const columns = 'tenant, run_id, job_id, attempt, storage, bytes::float8 as bytes';
  const { rows } = await pool.query<LogRow>(`select ${columns} from ${logsTable} where storage <> 'object'`);
  for (const row of rows) missing.remove(ownerOfLog(row));
};

const titles: {
  readonly [kind in Kind]: {
    readonly one: string;
    readonly many: string;
    readonly where: (from: Installation) => string;
  };
} = {
  blob: {
    one: 'blob',
    many: 'blobs',
    where: ({ settings, blobsDirectory }) =>
      settings.S3_BUCKET === undefined
        ? `${blobsDirectory}: set BLOBS_DIR, or S3_BUCKET and its account, as for the services`
        : `the bucket ${settings.S3_BUCKET}: set S3_BUCKET and S3_ENDPOINT as for the services`,
  },
  repository: {
    one: 'repository',
    many: 'repositories',
    where: ({ repositoriesDirectory }) => `${repositoriesDirectory}: set REPOSITORIES_DIR as for the service workflow`,
  },
  'signing-key': {
    one: 'signing key',
    many: 'signing keys',
    where: ({ keysDirectory }) =>
      `${keysDirectory}: set KEYS_DIR as for the services, or replace a key that is lost (npm run keys -- replace)`,
  },
  'personal-key': {
    one: 'key of a person',
    many: 'keys of people',
    where: () => 'the database: set POSTGRES_URL as for the services',
  },
  processes: {
    one: 'state of processes',
    many: 'states of processes',
    where: () => 'the database: set POSTGRES_URL as for the services',
  },
};

const sentenceOf = (from: Installation, kind: Kind, all: readonly Reference[]): string | undefined => {
  const names = all.flatMap((reference) => (reference.kind === kind ? [reference.name] : []));
  if (names.length === 0) return undefined;
  const { one, many, where } = titles[kind];
  return `${names.length} ${names.length === 1 ? one : many} (such as ${names[0]}) not in ${where(from)}.`;
};

/** Throws where something is missing, naming how many of each kind and the variable with their location. */
export const requireOutsideReferences = async (check: CompletenessCheck): Promise<void> => {
  const { isBackedUp, close } = await openPresence(check);
  try {
    const missing = createMissing(isBackedUp);
    const apply = ({ data, ...event }: LoggedEvent): void => missing.apply({ ...event, data: decoded(data) });
    await readBackedUpEvents(check.out, check.parts.log, apply);
    await readDumpedLogs(check, missing);
    if (missing.all().length > 0) {
      // What was removed between the copy of the log or the tables and that of the rest is rightly missing.
      await readLaterEvents(check.from.log, check.parts.log.lastPosition, apply);
      await dropMovedLogs(check.pool, missing);
    }
    const all = missing.all();
    const sentences = (Object.keys(titles) as Kind[]).flatMap((kind) => sentenceOf(check.from, kind, all) ?? []);
    if (sentences.length > 0)
      throw new OperatorError(`The backup would lack what the installation has. ${sentences.join(' ')}`);
  } finally {
    await close();
  }
};
