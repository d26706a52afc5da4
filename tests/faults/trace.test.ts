/** Observability of a running system: one trace through all of it, the metrics of each process, and no secret in any log. */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ensureSecrets, readSecret } from '../../infra/operate/launch/secret-files';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { requirePrerequisites } from '../support/runner/prerequisites';
import { eventually } from '../support/waiting/eventually';
import { storeNames } from './system/harness/stores';
import type { SentSpan } from './trace/collector';
import { editDocument } from './trace/edit';
import { startWatchedSystem, type WatchedSystem } from './trace/fixture';
import { assertBounded, assertSane, expected, samplesOf } from './trace/metrics';
import { sendAcceptedSecrets, sendRefusedSecrets } from './trace/requests-with-secrets';
import { leaks, ownSecrets, privateKeysIn, type Secrets } from './trace/secrets';
import { signInEverywhere } from './trace/sign-in-flows';
import { assertPlain, assertUnder, assertWhole, find, services } from './trace/spans';
import { dumpStores } from './trace/store-dumps';
import { decompressed, performLeaks } from './trace/workflow-secrets';

const issuedKinds = ['access token', 'client secret', 'issued token', 'address', 'ticket', 'cookie', 'signed URL'];

describe('a system that is watched', function () {
  // Of what hangs: two copies of everything start as slowly as a busy machine lets them.
  this.timeout(600_000);
  let opening: Promise<WatchedSystem> | undefined;
  let on: WatchedSystem;
  before(async () => {
    opening = startWatchedSystem();
    on = await opening;
  });
  after(async () => {
    await opening?.then(({ close }) => close());
  });

  const traceId = randomBytes(16).toString('hex');
  const client = randomBytes(8).toString('hex');
  const headers = { traceparent: `00-${traceId}-${client}-01` };
  const spans = (): readonly SentSpan[] => on.collector.spans().filter((span) => span.traceId === traceId);

  const send = async (method: string, path: string, more: object = {}) => {
    const answered = await on.system.session.send(method, path, { ...more, headers: { ...headers, ...more } });
    assert.ok(answered !== undefined, `${method} ${path} was not answered`);
    return answered;
  };

  it('is seen as one trace, from the gateway to what follows from the event', async () => {
    const body = { principalType: 'PIPELINE' };
    const registered = await on.system.session.send('POST', '/v1/principals', { body, headers });
    assert.equal(registered?.status, 201);
    const path = `/v1/principals/${String(registered.body.principalId)}`;
    await send('GET', path, { 'min-position': registered.headers.get('position') ?? '' });
    await send('GET', '/v1/platform/work/dead-letters');
    await send('GET', '/blobs/nothing');
    await eventually(async () => {
      const seen = spans();
      assert.deepEqual(
        [...new Set(seen.map(({ service }) => service))].sort(),
        services.map((name) => `septet-${name}`),
      );
      const handled = find(seen, 'commands', 'handle identity.RegisterPrincipal');
      const command = find(seen, 'commands', 'POST /v1/principals');
      assertUnder(find(seen, 'commands', 'log append'), handled);
      assertUnder(handled, command);
      assertUnder(command, find(seen, 'gateway', 'POST'));
      assertUnder(find(seen, 'projections', 'project identity_principals'), handled);
      const reacted = find(seen, 'processes', 'react welcome-on-registered');
      assertUnder(reacted, handled);
      assertUnder(find(seen, 'processes', 'handle sample.Add'), reacted);
      find(seen, 'workers', 'work welcomes');
      find(seen, 'read-api', 'GET /v1/principals/:principalId');
      assert.ok(seen.some(({ service, name }) => service === 'septet-read-api' && name.startsWith('publish ')));
      assertWhole(seen, client);
      assertPlain(seen);
    });
  });

  it('begins a trace of its own for a timer, which names the one that set it', () =>
    eventually(async () => {
      const fired = on.collector
        .spans()
        .find(({ name, links }) => name.startsWith('timer ') && links.includes(traceId));
      assert.ok(fired !== undefined, 'the timer has fired and says by whom it was set');
      assert.notEqual(fired.traceId, traceId);
    }));

  it('serves the metrics of every process, of bounded number whatever is sent', async () => {
    const { session, copies } = on.system;
    const unknown = '00000000-0000-4000-8000-000000000000';
    await session.send('POST', `/v1/principals/${unknown}/suspend`, { body: { reason: 'none' } });
    await session.send('GET', '/v1/principals', { headers: { authorization: '' } });
    const decision = await session.send('POST', '/v1/ratelimit/check', { body: { dimensions: { user: 'somebody' } } });
    assert.equal(decision?.status, 200, JSON.stringify(decision));
    await editDocument(session);
    for (let count = 0; count < 500; count += 1)
      await session.send(['PROPFIND', 'GET', 'PURGE'][count % 3] as string, `/v1/unknown-${count}/${count}`);
    const ports = { ...copies[0]?.ports, gateway: on.metricsPort };
    for (const [name, port] of Object.entries(ports)) {
      await eventually(async () => {
        const samples = samplesOf(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
        assertSane(name, samples);
        assertBounded(name, samples);
      });
    }
    assert.deepEqual(Object.keys(ports).sort(), Object.keys(expected).sort());
  });

  /** On a full machine the limiter may have found its store slow, and refuse for a while what must not pass uncounted. */
  const admitted = (): Promise<void> =>
    eventually(async () => {
      const answered = await on.system.session.send('POST', '/v1/principals', { body: { principalType: 'PIPELINE' } });
      assert.equal(answered?.status, 201);
    });

  it('keeps no token, code, secret, password or private key anywhere: no log, event, row, document, key or file', async () => {
    const { session, copies, stores, data } = on.system;
    const secrets: Secrets = new Map();
    await admitted();
    const passed = await signInEverywhere({ session, secrets, address: copies[0]?.url ?? '' });
    assert.ok(passed > 40, `${passed} secrets passed`);
    const [secret = ''] = secrets.keys();
    await on.system.recovered();
    const dumps = await dumpStores(stores.direct, [join(data, 'eventstore'), join(data, 'keys')]);
    assert.ok(dumps.get('events')?.includes('identity.RefreshRotated'));
    assert.ok(dumps.get('documents')?.includes('"_source"'));
    assert.ok([...dumps].some(([name, text]) => name.startsWith('table') && text.includes('refresh_token')));
    assert.equal(leaks(new Map([['control', `found ${secret}`]]), secrets).length, 1);
    assert.deepEqual(leaks(on.logs(), secrets), []);
    assert.deepEqual(leaks(dumps, secrets), []);
    const key = new Map([['control', '{"d":"jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"}']]);
    assert.equal(privateKeysIn(key).length, 1);
    assert.deepEqual(privateKeysIn(dumps), []);
  });

  it('keeps nothing that a workflow masks or hides: no log of a job, event, row, key, blob, trace or log of ours has it', async () => {
    await requirePrerequisites('isolation', 'git', 'python');
    const { session, copies, stores, data } = on.system;
    await admitted();
    const directory = temporaryDirectory('leaks');
    const { secrets, texts } = await performLeaks({ session, url: copies[0]?.url ?? '', directory: directory.path });
    await on.system.recovered();
    const directories = [join(data, 'eventstore'), join(data, 'blobs'), join(directory.path, 'runner')];
    const dumps = decompressed(await dumpStores(stores.direct, directories));
    directory.remove();
    // What is looked at has the run in it: its log in rows, its report in events, its artifact in a file.
    const inside = [...dumps].filter(([name]) => name.startsWith('compressed in ')).map(([, text]) => text);
    assert.ok(
      inside.some((text) => text.includes('begin ***')),
      'the log is looked at',
    );
    assert.ok(
      inside.some((text) => text.includes('dist/index.html')),
      'the artifact is looked at',
    );
    assert.ok(dumps.get('events')?.includes('"harmless":"known"'), 'the report is looked at');
    assert.match(texts.get('log of later') ?? '', /^later \[\] known$/m);
    const [secret = ''] = secrets.keys();
    const control = decompressed(new Map([['control', `\\x${gzipSync(`found ${secret}`).toString('hex')}`]]));
    assert.ok(leaks(control, secrets).length > 0);
    const traces = new Map([['what the collector was sent', on.collector.text()]]);
    const found = [texts, dumps, on.logs(), traces].flatMap((searched) => leaks(searched, secrets));
    assert.deepEqual(found, []);
  });

  it('writes no secret into any log, whether requests succeed, fail, or find stores away', async () => {
    const { session, copies, stores } = on.system;
    const secrets: Secrets = ownSecrets(on);
    await admitted();
    const blobsKey = readSecret(ensureSecrets(on.system.data), 'blobs-key');
    const asking = { session, secrets, blobsKey, port: copies[0]?.ports.gateway as number };
    const kinds = await sendAcceptedSecrets(asking);
    assert.deepEqual(kinds, issuedKinds);
    await sendRefusedSecrets(asking);
    for (const name of storeNames) stores.proxies[name].away();
    await sendAcceptedSecrets(asking);
    await sendRefusedSecrets(asking);
    const codes = Object.keys(session.seen().refused);
    for (const code of ['503 event-store-unavailable', '503 view-store-unavailable'])
      assert.ok(codes.includes(code), code);
    for (const name of storeNames) stores.proxies[name].back();
    await on.system.recovered();
    assert.ok(secrets.size > 40, `${secrets.size} kinds of secrets`);
    const [secret = ''] = secrets.keys();
    assert.equal(leaks(new Map([['control', `found ${secret}`]]), secrets).length, 1);
    assert.deepEqual(leaks(on.logs(), secrets), []);
    const sent = new Map([['what the collector was sent', on.collector.text()]]);
    assert.deepEqual(leaks(sent, secrets), []);
  });
});
