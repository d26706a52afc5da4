/** Two copies of each service behind one gateway, on a log and a database of their own. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isRight } from 'fp-ts/Either';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import { freePort } from '../../../infra/operate/launch/free-port';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { gatewayVariables } from '../../support/http/internal-keys';
import { type Part, part } from '../../support/processes/stream-processes';
import { startNodeHere } from '../../support/servers/event-store-node';
import { freshDatabase } from '../../support/servers/shared-servers';

const secret = (): string => randomBytes(32).toString('base64url');

const prepared = async () => {
  const url = await freshDatabase();
  const reader = await migrate({ url, readerPassword: 'reads' });
  assert.ok(isRight(reader));
  return { POSTGRES_URL: url, POSTGRES_READER_URL: reader.right };
};

const twice = async (script: string, env: Record<string, string>) => {
  const ports = [(await freePort()) as number, (await freePort()) as number];
  const copies = await Promise.all(ports.map((port) => part(script, { ...env, PORT: String(port) })));
  return { copies, urls: ports.map((port) => `http://127.0.0.1:${port}`).join(',') };
};

export interface Rolling {
  readonly url: string;
  readonly port: number;
  readonly code: string;
  /** The first copies, then the second ones. */
  readonly copies: readonly (readonly Part[])[];
  readonly close: () => Promise<void>;
}

export const startTwice = async (): Promise<Rolling> => {
  const home = temporaryDirectory('rolling');
  const node = await startNodeHere(join(home.path, 'log'));
  const stores = { EVENTSTORE_URL: node.url, ...(await prepared()) };
  const port = (await freePort()) as number;
  const url = `http://127.0.0.1:${port}`;
  const code = secret();
  const keys = { MASTER_KEY: secret(), KEYS_DIR: join(home.path, 'keys') };
  const content = { BLOBS_DIR: join(home.path, 'blobs'), BLOBS_KEY: secret() };
  const shared = { ...stores, ...gatewayVariables, LOG_LEVEL: 'error', DRAIN_NOTICE_MILLISECONDS: '1700' };
  const [writing, reading, projections] = await Promise.all([
    twice('commands/command-api.main', { ...shared, ...keys, ISSUER: url, BOOTSTRAP_CODE: code }),
    twice('read-api/query-api.main', { ...shared, CURSOR_KEY: secret() }),
    part('projections/projector.main', { ...shared, ...keys, ...content, PORT: '0' }),
  ]);
  const places = { COMMANDS_URL: writing.urls, READ_API_URL: reading.urls };
  const gatewayEnvironment = { PORT: String(port), PUBLIC_URL: url, ISSUER: url, ...places };
  const gateway = await part('infra/gateway/main', { ...shared, ...gatewayEnvironment });
  const copies = writing.copies.map((copy, index) => [copy, reading.copies[index] as Part]);
  const close = async (): Promise<void> => {
    await gateway.stop();
    await Promise.all([...copies.flat(), projections].map((one) => one.stop()));
    await node.stop();
    home.remove();
  };
  return { url, port, code, copies, close };
};
