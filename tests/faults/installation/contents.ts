/** One of every kind of data that an installation keeps, made over HTTP, and what of it is seen from outside and lies in its stores. */
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { openS3Blobs } from '../../../infra/adapters/blobs/s3/s3-blob-store';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { openPool } from '../../../infra/adapters/postgres/pool';
import { boundToPositions, processTables, vaultTables } from '../../../infra/operate/backup/parts/postgres-tables';
import { ok } from '../../contracts/views/suite/view-store';
import { type ClientCredential, contentOf, issueTokenTo } from '../../support/identity/tenant';
import type { ComposeEnvironment, ComposeStores } from '../../support/servers/compose-environment';
import { eventually } from '../../support/waiting/eventually';
import { commitFiles, gitWorks } from '../../support/workflow/git-client';
import { startRunnerProgram } from '../../support/workflow/runner-program';

const definition = `name: Build
on: push
jobs:
  build:
    runs-on: deployment
    steps:
      - run: echo "built from $(git rev-parse HEAD 2>/dev/null || echo nothing)"
      - run: mkdir out && echo result > out/result.txt
      - uses: actions/upload-artifact@v4
        with: { name: result, path: out/result.txt }
`;

type Installation = Pick<ComposeEnvironment, 'url'>;

export const callerOf = ({ url }: Installation, token: string) => {
  const send = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  /** A view that is behind, or is being built, answers 503. */
  const read = async <Content>(path: string): Promise<Content> => {
    let found: Content | undefined;
    await eventually(async () => {
      found = await contentOf<Content>(send('GET', path));
    });
    return found as Content;
  };
  return { send, read, make: <Content>(path: string, body: object) => contentOf<Content>(send('POST', path, body)) };
};

const makeDocument = async ({ make }: ReturnType<typeof callerOf>) => {
  const { documentId } = await make<{ documentId: string }>('/v1/documents', { title: 'Harbour' });
  const { clientId } = await make<{ clientId: string }>(`/v1/documents/${documentId}/clients`, {});
  const node = { id: `${clientId}:1`, type: 'rect', parentId: null, orderKey: 'a0', properties: {} };
  const operation = {
    opId: `${clientId}-1`,
    documentId,
    actorId: 'me',
    clientSeq: 1,
    baseVersion: 0,
    type: 'createNode',
    targetIds: [node.id],
    payload: { nodes: [node] },
    createdAt: new Date().toISOString(),
  };
  await make(`/v1/documents/${documentId}/operations:batch`, { clientId, operations: [operation] });
  // Its content is a snapshot in object storage.
  const copy = await make<{ documentId: string }>(`/v1/documents/${documentId}:duplicate`, { title: 'Copy' });
  return { documentId, copyId: copy.documentId, nodeId: node.id };
};

interface Run {
  readonly runId: string;
  readonly status: string;
  readonly jobs: readonly { readonly jobId: string }[];
}

export const withPassword = (address: string, token: string): string => {
  const url = new URL(address);
  Object.assign(url, { username: 'git', password: token });
  return url.href;
};

/** A push, a run of its workflow on a runner, its log and an artifact. */
const makeRun = async (
  { make, read }: ReturnType<typeof callerOf>,
  {
    url,
    token,
    directory,
    name,
  }: { readonly url: string; readonly token: string; readonly directory: string; readonly name: string },
) => {
  const repository = await make<{ id: string; clone_url: string }>('/v1/workflow/repositories', { name });
  const registration = await make<{ token: string }>('/v1/workflow/runner-tokens', {});
  const runner = await startRunnerProgram({
    url,
    token: registration.token,
    directory: join(directory, 'runner'),
    name: `deployment-${name}`,
    labels: ['deployment'],
  });
  try {
    const checkout = join(directory, 'checkout');
    mkdirSync(checkout);
    await gitWorks(checkout, 'init', '--quiet', '--initial-branch=main');
    const commit = await commitFiles(checkout, { '.github/workflows/build.yml': definition, 'source.txt': 'source\n' });
    await gitWorks(checkout, 'push', '--quiet', withPassword(repository.clone_url, token), 'main');
    let run: Run | undefined;
    await eventually(async () => {
      const { items } = await read<{ items: readonly Run[] }>(`/repos/${repository.id}/actions/runs`);
      assert.equal(items.length, 1);
      run = await read<Run>(`/actions/runs/${items[0]?.runId}`);
      assert.equal(run.status, 'success', JSON.stringify(run));
    });
    const { runId, jobs } = run as Run;
    return { repository, commit, runId, jobId: jobs[0]?.jobId ?? '' };
  } finally {
    await runner.kill();
  }
};

const addDeadLetter = async (postgres: string, name: string): Promise<void> => {
  const pool = openPool({ url: postgres, connections: 1 });
  await pool.query(
    `insert into septet.work_jobs (queue, key, tenant, payload, cause, priority, most_attempts, state, due, token)
    values ('reports', $1, 'main', '{"text":"kept"}', '{}', 0, 8, 'dead', now(), nextval('septet.work_tokens'))`,
    [name],
  );
  await pool.end();
};

interface SignedUpload {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const placesFile = `entity_id,name,category,lat,lng
p-1,Lighthouse,attraction,54.1,12.1
p-2,Pier,pier,54.11,12.12
`;

/** An import of a file, whose places are searched in Elasticsearch. */
const importPlaces = async ({ make, read }: ReturnType<typeof callerOf>): Promise<string> => {
  const file = { fileName: 'places', source: 'file', format: 'csv', size: Buffer.byteLength(placesFile) };
  const { importId } = await make<{ importId: string }>('/v1/places/imports', file);
  const { url, headers } = await make<SignedUpload>(`/v1/places/imports/${importId}/upload`, {});
  assert.ok((await fetch(url, { method: 'PUT', headers, body: placesFile })).ok);
  await make(`/v1/places/imports/${importId}/start`, {});
  await eventually(async () => {
    const { status } = await read<{ status: string }>(`/v1/places/imports/${importId}`);
    assert.equal(status, 'completed');
  });
  return importId;
};

const findPlaces = async ({ read }: ReturnType<typeof callerOf>): Promise<readonly string[]> => {
  let found: readonly string[] = [];
  await eventually(async () => {
    const { results } = await read<{ results: readonly { entity_id: string }[] }>('/v1/search?lat=54.1&lng=12.1');
    found = results.map(({ entity_id }) => entity_id).sort();
    assert.deepEqual(found, ['p-1', 'p-2']);
  });
  return found;
};

export interface Filled {
  readonly importId: string;
  readonly credential: ClientCredential;
  readonly personId: string;
  readonly documents: Awaited<ReturnType<typeof makeDocument>>;
  readonly run: Awaited<ReturnType<typeof makeRun>>;
}

export interface Filling {
  /** Its first administrator's. */
  readonly credential: ClientCredential;
  /** For checkouts and a runner. */
  readonly home: string;
  readonly postgres: string;
  /** Of what it makes; another one where it was filled before. */
  readonly name?: string;
  /** Of the person. A credential from before has no scopes of contexts that came since, and can grant no role with them. */
  readonly roles?: readonly string[];
}

export const fillInstallation = async (
  installation: Installation,
  { credential, home, postgres, name = 'storefront', roles = ['auditor'] }: Filling,
): Promise<Filled> => {
  const { url } = installation;
  const token = await issueTokenTo(installation, credential);
  const caller = callerOf(installation, token);
  const login = `ada.${randomUUID()}@example.org`;
  const person = { login, displayName: 'Ada Harbour', roles };
  const { principalId } = await caller.make<{ principalId: string }>('/v1/people', person);
  const limits = { plan: 'team', concurrency_limit: 7, isolation_policy: 'none' };
  await contentOf(caller.send('PUT', '/v1/workflow/organization', limits));
  const run = await makeRun(caller, { url, token, directory: home, name });
  const documents = await makeDocument(caller);
  const importId = await importPlaces(caller);
  await addDeadLetter(postgres, name);
  return { credential, personId: principalId, documents, run, importId };
};

interface Piece {
  readonly url?: string;
  readonly base64?: string;
}

/** Small ones come with the answer. */
const textOf = async ({ url, base64 = '' }: Piece): Promise<string> => {
  const bytes = url === undefined ? Buffer.from(base64, 'base64') : await (await fetch(url)).arrayBuffer();
  return gunzipSync(bytes).toString('utf8');
};

/** What an operator and a person see of it, by the services. */
export const readInstallation = async (
  installation: Installation,
  { credential, personId, documents, run, importId }: Filled,
  directory: string,
) => {
  const token = await issueTokenTo(installation, credential);
  const caller = callerOf(installation, token);
  const { send, read } = caller;
  const { displayName } = await read<{ displayName: string }>(`/v1/principals/${personId}`);
  const { name: repository } = await read<{ name: string }>(`/v1/workflow/repositories/${run.repository.id}`);
  const clone = join(directory, `clone-${randomUUID()}`);
  await gitWorks(directory, 'clone', '--quiet', withPassword(run.repository.clone_url, token), clone);
  const { status } = await read<Run>(`/actions/runs/${run.runId}`);
  const log = await (await send('GET', `/actions/jobs/${run.jobId}/logs?format=text`)).text();
  const artifacts = await read<{ items: readonly { id: string; name: string }[] }>(
    `/actions/runs/${run.runId}/artifacts`,
  );
  const download = await send('GET', `/actions/artifacts/${artifacts.items[0]?.id}/download`);
  assert.equal(download.status, 200);
  const artifact = createHash('sha256')
    .update(new Uint8Array(await download.arrayBuffer()))
    .digest('hex');
  const versions = await Promise.all(
    [documents.documentId, documents.copyId].map(async (id) => {
      const path = `/v1/documents/${id}/versions/1`;
      const { snapshot, pieces } = await read<{ snapshot: { version: number }; pieces: readonly Piece[] }>(path);
      const texts = await Promise.all(pieces.map(textOf));
      return { version: snapshot.version, hasNode: texts.some((text) => text.includes(documents.nodeId)) };
    }),
  );
  assert.ok(versions.every(({ hasNode }) => hasNode));
  const organization = await read<object>('/v1/workflow/organization');
  const commit = await gitWorks(clone, 'rev-parse', 'HEAD');
  const imported = await read<object>(`/v1/places/imports/${importId}`);
  const places = await findPlaces(caller);
  return { displayName, repository, commit, status, log, artifact, versions, organization, imported, places };
};

const blobsIn = async (bucket: NonNullable<ComposeStores['bucket']>): Promise<readonly string[]> => {
  const blobs = openS3Blobs(bucket);
  const found: string[] = [];
  for (const { key } of ok(await blobs.list({ prefix: '' })).blobs) {
    if (key.startsWith('temporary/')) continue;
    const hash = createHash('sha256');
    for await (const chunk of ok(await blobs.get({ key })).body) hash.update(chunk as Uint8Array);
    found.push(`${key} ${hash.digest('hex')}`);
  }
  await blobs.close();
  return found.sort();
};

/** Of a lease only the token goes on; checkpoints and timers name positions, which are others in another log. */
const tablesIn = async (url: string) => {
  const pool = openPool({ url, connections: 1 });
  const tables = [...processTables, ...vaultTables].filter(({ table }) => !boundToPositions.includes(table));
  const found: Record<string, unknown> = {};
  for (const { table, instead = {} } of tables) {
    const { rows } = await pool.query<Record<string, unknown>>(`select * from ${table}`);
    found[table] = rows
      .map((row) => JSON.stringify({ ...row, ...Object.fromEntries(Object.keys(instead).map((name) => [name, ''])) }))
      .sort();
  }
  await pool.end();
  return found;
};

export const eventsIn = async (url: string): Promise<readonly string[]> => {
  const store = openEventStore({ url });
  const events: string[] = [];
  for await (const { id, stream, type, revision, data } of store.readAll({ after: null }))
    events.push(`${stream} ${revision} ${type} ${id} ${JSON.stringify(data)}`);
  await store.close();
  return events;
};

const keysIn = (directory: string): readonly string[] =>
  readdirSync(directory)
    .sort()
    .map((name) => `${name} ${readFileSync(join(directory, name), 'utf8')}`);

const repositoriesIn = async (directory: string): Promise<readonly string[]> => {
  const tenants = existsSync(directory) ? readdirSync(directory).filter((name) => !name.startsWith('.')) : [];
  const paths = tenants.flatMap((tenant) => readdirSync(join(directory, tenant)).map((name) => join(tenant, name)));
  return Promise.all(
    paths.sort().map(async (path) => `${path} ${await gitWorks(join(directory, path), 'for-each-ref')}`),
  );
};

/** What lies in the stores and volumes, as the services' own containers see it. Nothing may run meanwhile. */
export const storedIn = async (environment: ComposeEnvironment, { log, postgres, bucket }: ComposeStores) => ({
  events: await eventsIn(log),
  tables: await tablesIn(postgres),
  blobs: bucket === undefined ? [] : await blobsIn(bucket),
  keys: keysIn(environment.directoryOf('commands', '/var/lib/septet/keys')),
  repositories: await repositoriesIn(environment.directoryOf('workflow', '/var/lib/septet/repositories')),
});
