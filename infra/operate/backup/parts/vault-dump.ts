/** Which master keys the dumped keys of the vault are wrapped by. */
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import * as t from 'io-ts';
import { linesOf } from '../../../../packages/eventstore-node/src/transfer/index';
import { schema } from '../../../adapters/vault/postgres-schema';

const KeyRow = t.strict({ master: t.string, wrapped: t.union([t.string, t.null]) }, 'KeyRow');

export const mastersIn = async (directory: string): Promise<readonly string[]> => {
  const path = join(directory, `${schema}.keys.jsonl`);
  if (!existsSync(path)) return [];
  const masters = new Set<string>();
  for await (const { number, text } of linesOf(createReadStream(path) as AsyncIterable<Buffer>)) {
    const row: unknown = number === 1 ? undefined : JSON.parse(text);
    if (KeyRow.is(row) && row.wrapped !== null) masters.add(row.master);
  }
  return [...masters];
};
