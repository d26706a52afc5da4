/** Stores that answer as they do when their disk is full; each until it is undone. */
import { Client as Elastic } from '@elastic/elasticsearch';
import Redis from 'ioredis';
import { Client as Postgres } from 'pg';

export const fullPostgres = async (url: string, table: string) => {
  const owner = new Postgres({ connectionString: url });
  await owner.connect();
  await owner.query(`create or replace function septet.no_space() returns trigger language plpgsql as
    $$ begin raise exception using errcode = 'disk_full'; end $$`);
  await owner.query(`create trigger no_space before insert or update on ${table} execute function septet.no_space()`);
  return async () => {
    await owner.query(`drop trigger no_space on ${table}`);
    await owner.end();
  };
};

export const fullRedis = async (url: string) => {
  const redis = new Redis(url);
  await redis.config('SET', 'maxmemory', '1');
  return async () => {
    await redis.config('SET', 'maxmemory', '0');
    redis.disconnect();
  };
};

export const fullElastic = async (node: string, index: string) => {
  const client = new Elastic({ node });
  const block = (write: boolean) => client.indices.putSettings({ index, settings: { blocks: { write } } });
  await block(true);
  return async () => {
    await block(false);
    await client.close();
  };
};
