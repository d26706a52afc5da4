/** The line about the first admin: the one-time sign-in code, or that it is spent. */
import { isLeft } from 'fp-ts/Either';
import { bootstrapStream } from '../../../domain/identity/principal/events';
import { TenantId } from '../../../domain/kernel/ids';
import { openEventStore } from '../../adapters/eventstore/event-store';
import { readSecret } from './secret-files';
import type { LaunchContext } from './service-environment';

export const firstAdmin = async ({ stores, secrets }: LaunchContext): Promise<string> => {
  const url = stores.EVENTSTORE_READER_URL ?? stores.EVENTSTORE_URL;
  if (url === undefined) return 'First admin:        see the log of the command API';
  const tenant = process.env.BOOTSTRAP_TENANT ?? 'main';
  if (!TenantId.is(tenant)) return 'First admin:        BOOTSTRAP_TENANT is not a tenant id';
  const store = openEventStore({ url });
  const events = await store.read(bootstrapStream(tenant));
  await store.close();
  if (isLeft(events)) return `First admin:        ${events.left.detail}`;
  if (events.right.length > 0) return 'First admin:        has signed in';
  return `First sign-in code: ${readSecret(secrets, 'bootstrap-code')}   (once, at that address)`;
};
