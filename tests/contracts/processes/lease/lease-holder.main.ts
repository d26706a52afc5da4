/** Holds a lease and appends to a stream at the revision that it knows, on request, whatever happened in between. */
import { acquireAndRenew } from '../../../../commands/kernel/processes/lease-renewal';
import { openEventStore } from '../../../../infra/adapters/eventstore/event-store';
import { openPostgresLeaseStore } from '../../../../infra/adapters/postgres/processes/lease-store';
import { openRedisLeaseStore } from '../../../../infra/adapters/redis/process-lease-store';

const [kind, leasesUrl = '', storeUrl = '', name = '', stream = ''] = process.argv.slice(2);
const leases = kind === 'redis' ? openRedisLeaseStore(leasesUrl) : openPostgresLeaseStore({ url: leasesUrl });
const store = openEventStore({ url: storeUrl });

const main = async (): Promise<void> => {
  const acquired = await acquireAndRenew(leases, name, 600);
  const held = acquired._tag === 'Right' ? acquired.right : undefined;
  if (held === undefined) throw new Error('the lease is another’s');
  held.lost.addEventListener('abort', () => process.send?.({ kind: 'lost' }));
  let revision = -1;
  const write = async (id: string): Promise<void> => {
    const expected = revision < 0 ? 'no-stream' : revision;
    const event = { id, type: 'sample.Written.v1', data: { token: held.token }, metadata: {} };
    const appended = await store.append(stream, expected, [event]);
    if (appended._tag === 'Right') revision = appended.right.revision;
    process.send?.({ kind: appended._tag === 'Right' ? 'written' : appended.left.kind, isHeld: held.isValid() });
  };
  process.on('message', (id: string) => void write(id));
  process.send?.({ kind: 'holds', token: held.token });
};

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
