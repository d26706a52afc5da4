/** A projector of one view of notes, which kills its own process before the n-th request of an erasure to the view's store. */
import { Client as ElasticClient } from '@elastic/elasticsearch';
import Redis, { type Command } from 'ioredis';
import { Client as PostgresClient } from 'pg';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { openEncryptingStore } from '../../../infra/adapters/vault/encrypting-store';
import { openLocalWrapping } from '../../../infra/adapters/vault/local-key-wrapping';
import { openPostgresKeyTable } from '../../../infra/adapters/vault/postgres-key-table';
import { openVault } from '../../../infra/adapters/vault/subject-keys';
import type { View } from '../../../infra/ports/views/view-store';
import { runProjector } from '../../../projections/kernel/projector/projector';
import { openLogInErasureOrder } from '../../../projections/privacy/erase-in-log-order';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';
import { openNoteView, type StoreAddresses } from './note-views';

export interface NoteProjectorOptions {
  readonly store: View['store'];
  readonly name: string;
  readonly at: StoreAddresses;
  readonly log: string;
  readonly keys: string;
  readonly masterKey: string;
  /** Requests of the erasure that pass; null: all. */
  readonly passing: number | null;
}

const {
  store,
  name,
  at,
  log: logUrl,
  keys,
  masterKey,
  passing,
} = JSON.parse(process.argv[2] ?? '') as NoteProjectorOptions;

let passed = 0;
/** Once it has the erasures that were recorded before. */
let isLive = false;
const pass = (): void => {
  if (!isLive || passing === null) return;
  if (passed >= passing) process.kill(process.pid, 'SIGKILL');
  passed += 1;
};

type Method = (...given: unknown[]) => unknown;

const before = (prototype: object, method: string, isOfErasure: (given: readonly unknown[]) => boolean): void => {
  const methods = prototype as Record<string, Method>;
  const original = methods[method] as Method;
  methods[method] = function (this: unknown, ...given: unknown[]) {
    if (isOfErasure(given)) pass();
    return original.apply(this, given);
  };
};

before(PostgresClient.prototype, 'query', ([text]) => typeof text === 'string' && text.includes('?|'));
before(Redis.prototype, 'sendCommand', ([command]) => (command as Command).args.includes('erase'));
let isErasing = false;
before(ElasticClient.prototype, 'search', ([request]) => {
  isErasing = JSON.stringify(request).includes('subjectKeys');
  return false;
});
before(ElasticClient.prototype, 'bulk', () => isErasing);
before(ElasticClient.prototype, 'closePointInTime', () => {
  isErasing = false;
  return false;
});

const vault = openVault({
  table: openPostgresKeyTable(at.database),
  wrapping: openLocalWrapping({ directory: keys, masterKey: Buffer.from(masterKey, 'base64url') }),
});
const view = openNoteView(store, name, at);
const log = recordingLog();
const decrypting = openEncryptingStore(openEventStore({ url: logUrl }), vault);
const projector = runProjector([view.projection], {
  store: openLogInErasureOrder({ store: decrypting, vault, log }),
  log,
  metrics: noopMetrics,
  writerOf: () => view.writer,
});
const saying = setInterval(() => {
  if (projector.status()[0]?.phase !== 'live') return;
  isLive = true;
  process.stdout.write('live\n');
  clearInterval(saying);
}, 20);
