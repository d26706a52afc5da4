/**
 * Searches of people by name among 100,000 principals of one tenant, as the query API sends them, against a list of the
 * newest without a search. `PRINCIPALS` changes the number.
 */
import { createSecretKey } from 'node:crypto';
import { type Either, isRight } from 'fp-ts/Either';
import type { Instant } from '../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../domain/kernel/ids';
import { migrate } from '../../infra/adapters/postgres/migrate';
import { openPostgresReader } from '../../infra/adapters/postgres/views/view-reader';
import { openPostgresWriter } from '../../infra/adapters/postgres/views/view-writer';
import { sealingWriter, unsealingReader } from '../../infra/adapters/views/sealed-views';
import type { Change, PageRequest, View } from '../../infra/ports/views/view-store';
import { searchTerms } from '../../projections/identity/principals/search-terms';
import { type PrincipalRow, principalsView, queryTerms } from '../../projections/identity/principals/view';
import { freshDatabase, stopServers } from '../support/servers/shared-servers';

const count = Number(process.env.PRINCIPALS ?? 100_000);
const [batchSize, rounds] = [1_000, 40];
const tenantId = 'acme' as TenantId;
const firstNames = ['Ada', 'Grace', 'Alan', 'Barbara', 'Edsger', 'Frances', 'Donald', 'Radia', 'Tim', 'Sophie'];
const syllables = ['ka', 'lo', 'mi', 'ren', 'sto', 'ver', 'bu', 'dan', 'fel', 'gor', 'hul', 'jan', 'pet', 'tom', 'wil'];
const view = principalsView as unknown as View;

const must = <A>(result: Either<unknown, A>): A => {
  if (!isRight(result)) throw new Error(JSON.stringify(result));
  return result.right;
};

const pick = (from: readonly string[], index: number): string => from[index % from.length] ?? '';
const surname = (index: number): string =>
  [1, 15, 225, 3_375].map((unit) => pick(syllables, Math.floor(index / unit))).join('');

const rowOf = (index: number): PrincipalRow => {
  const hexadecimal = (index * 2_654_435_761).toString(16).padStart(12, '0').slice(-12);
  const principalId = `${hexadecimal.slice(0, 8)}-2f0a-5b4e-8a51-${hexadecimal}` as PrincipalId;
  const name = `${pick(firstNames, index)} ${surname(index)}`;
  const login = `${name.toLowerCase().replace(' ', '.')}${index}@example.org`;
  return {
    tenantId,
    principalId,
    principalType: 'HUMAN',
    status: 'ACTIVE',
    securityEpoch: 1,
    createdAt: new Date(1_700_000_000_000 + index * 60_000).toISOString() as Instant,
    isAdmin: false,
    isAuditor: false,
    login,
    name,
    terms: searchTerms({ principalId, login, name }),
    revision: 0,
  };
};

const queries: { readonly [name: string]: (round: number) => string | undefined } = {
  'no search': () => undefined,
  'a common first name': (round) => pick(firstNames, round),
  'two letters': (round) => pick(syllables, round).slice(0, 2),
  'first name and beginning of a surname': (round) =>
    `${pick(firstNames, round * 7)} ${surname(round * 7).slice(0, 4)}`,
  'a whole login': (round) => rowOf(round * 31).login ?? '',
  'a whole id': (round) => rowOf(round * 31).principalId,
  nobody: () => 'zzyzx',
};

const percentile = (times: readonly number[], part: number): number =>
  Math.round((times.toSorted((one, other) => one - other)[Math.floor(times.length * part)] ?? 0) * 10) / 10;

export const run = async (): Promise<void> => {
  const url = await freshDatabase();
  const readerUrl = must(await migrate({ url, readerPassword: 'only for reading' }));
  const key = createSecretKey(Buffer.alloc(32, 7));
  const writer = sealingWriter(openPostgresWriter({ url }), key);
  const reader = unsealingReader(openPostgresReader({ url: readerUrl }), key);
  try {
    const { number: generation } = must(await writer.open(view));
    const began = performance.now();
    for (let from = 0; from < count; from += batchSize) {
      const changes = Array.from({ length: Math.min(batchSize, count - from) }, (_, index) => ({
        position: BigInt(from + index + 1),
        change: { kind: 'put', row: rowOf(from + index) } as unknown as Change,
      }));
      const after = from === 0 ? null : BigInt(from);
      must(
        await writer.apply(view, { generation, after, position: BigInt(from + changes.length), live: false, changes }),
      );
    }
    console.log(
      JSON.stringify({
        bench: 'principal-search',
        written: count,
        seconds: Math.round((performance.now() - began) / 100) / 10,
      }),
    );
    for (const [name, queryOf] of Object.entries(queries)) {
      const times: number[] = [];
      let found = 0;
      for (let round = 0; round < rounds; round += 1) {
        const q = queryOf(round);
        const request: PageRequest<PrincipalRow> = {
          where: {},
          ...(q === undefined ? {} : { all: { field: 'terms', values: queryTerms(q) } }),
          order: [
            { field: 'createdAt', direction: 'desc' },
            { field: 'principalId', direction: 'desc' },
          ],
          limit: 51,
        };
        const start = performance.now();
        found += must(await reader.page(principalsView, tenantId, request)).length;
        times.push(performance.now() - start);
      }
      const measurements = {
        p50: percentile(times, 0.5),
        p95: percentile(times, 0.95),
        rows: Math.round(found / rounds),
      };
      console.log(JSON.stringify({ bench: 'principal-search', query: name, ...measurements }));
    }
  } finally {
    await Promise.all([writer.close(), reader.close()]);
    await stopServers();
  }
};
