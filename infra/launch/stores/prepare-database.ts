/** Migrates Postgres before anything uses it, and adds the address for reading. */
import { isLeft } from 'fp-ts/Either';
import { migrate } from '../../postgres/migrate';
import { readSecret, type SecretFiles } from '../secret-files';

type Stores = Readonly<Record<string, string>>;

export const prepareDatabase = async (stores: Stores, secrets: SecretFiles): Promise<Stores> => {
  const url = stores.POSTGRES_URL;
  if (url === undefined) return stores;
  const migrated = await migrate({ url, readerPassword: readSecret(secrets, 'reader-password') });
  if (isLeft(migrated)) throw new Error(`Postgres cannot be prepared: ${migrated.left.detail}`);
  return { ...stores, POSTGRES_READER_URL: process.env.POSTGRES_READER_URL ?? migrated.right };
};
