/** The event store for `npm start`: the embedded node with TLS on loopback, and an account for each kind of process. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft, isRight } from 'fp-ts/Either';
import { ensureCertificates, loopbackNames } from '../../../../packages/eventstore-node/src/certs/index';
import { openEventStore } from '../../../adapters/eventstore/event-store';
import { type Account, ensureAccounts } from '../../../adapters/eventstore/service-accounts';
import { entryPath } from '../../../server/bundle/entry-path';
import { freePort } from '../free-port';
import { OperatorError } from '../operator-error';
import { readSecret, type SecretFiles } from '../secret-files';
import { type Supervised, supervise } from '../supervisor';
import { terminal } from '../terminal-output';
import type { StartedStore, StoreContext } from './started-store';

interface Where {
  readonly port: number;
  readonly certs: string;
}

const urlOf = ({ login, password }: Account, { port, certs }: Where): string => {
  const query = new URLSearchParams({ tls: 'true', tlsCAFile: join(certs, 'ca.crt') });
  return `esdb://${encodeURIComponent(login)}:${encodeURIComponent(password)}@localhost:${port}?${query.toString()}`;
};

const isKnown = async (url: string): Promise<boolean> => {
  const store = openEventStore({ url });
  const head = await store.head();
  await store.close();
  return isRight(head);
};

const firstPasswordsFile = (data: string): string => join(data, 'eventstore', 'first-passwords.json');

const adminAccount = (data: string): Account => {
  const { admin } = JSON.parse(readFileSync(firstPasswordsFile(data), 'utf8')) as { readonly admin: string };
  return { login: 'admin', password: admin };
};

/** Only where they are missing: an operator may have changed the administrator's password since. */
const prepareAccounts = async (
  data: string,
  where: Where,
  { secrets, isNew }: { readonly secrets: SecretFiles; readonly isNew: boolean },
) => {
  const writer = { login: 'septet', password: readSecret(secrets, 'event-store-writer-password') };
  const reader = { login: 'septet-reader', password: readSecret(secrets, 'event-store-reader-password') };
  const urls = { EVENTSTORE_URL: urlOf(writer, where), EVENTSTORE_READER_URL: urlOf(reader, where) };
  // Every refused login costs the server a slow hash.
  const known = isNew ? [false] : await Promise.all(Object.values(urls).map(isKnown));
  if (known.every(Boolean)) return urls;
  try {
    await ensureAccounts(urlOf(adminAccount(data), where), { writer, reader });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`The event store's accounts cannot be made with ${firstPasswordsFile(data)}: ${why}`);
  }
  return urls;
};

const startNode = ({ log, logs, data }: StoreContext, { port, certs }: Where): Supervised => {
  const serve = ['serve', '--data', join(data, 'eventstore'), '--certs', certs, '--port', String(port)];
  return supervise(log, {
    name: 'eventstore',
    recordIn: data,
    script: [entryPath('packages/eventstore-node/src/cli/main'), ...serve],
    env: {},
    line: logs.lineOf('eventstore', { showsSentences: true }),
    logFile: logs.pathOf('eventstore'),
    ready: () => terminal.ready('eventstore'),
  });
};

export const startEventStore = async (place: StoreContext): Promise<StartedStore> => {
  const where = { port: (await freePort()) as number, certs: join(place.data, 'eventstore-certs') };
  const certificates = await ensureCertificates(where.certs, loopbackNames);
  if (isLeft(certificates)) throw new OperatorError(certificates.left);
  const isNew = !existsSync(join(place.data, 'eventstore'));
  terminal.step('eventstore', 'starting');
  const node = startNode(place, where);
  await node.started;
  try {
    return { env: await prepareAccounts(place.data, where, { secrets: place.secrets, isNew }), stop: node.stop };
  } catch (error) {
    await node.stop();
    throw error;
  }
};
