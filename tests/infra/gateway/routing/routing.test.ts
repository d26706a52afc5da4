import assert from 'node:assert/strict';
import type { Destination } from '../../../../domain/kernel/context';
import { createResolver, resolveDestination } from '../../../../infra/gateway/routing/destinations';

describe('where the gateway sends a request', () => {
  const upstream = (method: string, target: string) => resolveDestination(method, target)?.upstream;

  it('is the query API for what is read, the command API for what is changed', () => {
    assert.equal(upstream('GET', '/v1/principals'), 'read-api');
    assert.equal(upstream('HEAD', '/v1/principals?limit=1'), 'read-api');
    assert.equal(upstream('POST', '/v1/principals'), 'commands');
    assert.equal(upstream('GET', '/elsewhere'), undefined);
  });

  it('is the processes for changes of jobs, and never without a token', () => {
    const replay = resolveDestination('POST', '/v1/platform/work/dead-letters/9/replay');
    assert.deepEqual(replay, { upstream: 'processes', authenticatedBy: 'gateway' });
    assert.equal(upstream('GET', '/v1/platform/work/dead-letters?cursor=9'), 'read-api');
    assert.equal(upstream('GET', '/v1/platform/working'), 'read-api');
  });

  it('is always the same copy of the editor for a document’s content, and any service for its metadata', () => {
    const owner = { upstream: 'editor', authenticatedBy: 'gateway', key: 'd-1' };
    for (const [method, target] of [
      ['POST', '/v1/documents/d-1/operations:batch'],
      ['POST', '/v1/documents/d-1/versions/7:restore'],
      ['POST', '/v1/documents/d-1:duplicate'],
    ] as const)
      assert.deepEqual(resolveDestination(method, target), owner, target);
    assert.deepEqual(resolveDestination('GET', '/v1/documents/d-1/socket'), { ...owner, webSocket: true });
    assert.equal(upstream('GET', '/v1/documents/d-1'), 'read-api');
    assert.equal(upstream('GET', '/v1/documents/d-1/operations?afterVersion=3'), 'read-api');
    for (const path of ['versions', 'versions/7', 'diff?from=1&to=2'])
      assert.equal(upstream('GET', `/v1/documents/d-1/${path}`), 'read-api');
    assert.equal(upstream('POST', '/v1/documents'), 'commands');
    assert.equal(upstream('POST', '/v1/documents/d-1/members'), 'commands');
  });
});

describe('destinations of manifests', () => {
  const context = (name: string, ...destinations: readonly Destination[]) => ({ name, destinations });
  const resolverOf = (...destinations: readonly Destination[]) => createResolver([context('things', ...destinations)]);
  const refused = (expected: RegExp, ...contexts: readonly ReturnType<typeof context>[]) =>
    assert.throws(() => createResolver(contexts), expected);
  const edge: Destination = {
    paths: ['/media/**'],
    methods: ['GET'],
    service: 'processes',
    authenticatedBy: 'service',
  };

  it('lie outside /v1, where the query API answers GET and the command API the rest', () => {
    const resolve = resolverOf({ paths: ['/repos/**', '/runs/{runId}/cancel'] });
    assert.equal(resolve('GET', '/repos/r-1/actions/runs?branch=main')?.upstream, 'read-api');
    assert.equal(resolve('HEAD', '/repos')?.upstream, 'read-api');
    assert.equal(resolve('POST', '/repos/r-1/events')?.upstream, 'commands');
    assert.equal(resolve('POST', '/runs/r-1/cancel')?.upstream, 'commands');
    for (const path of ['/runs/r-1', '/runs/r-1/cancel/', '/runs/a:b/cancel', '/reposi'])
      assert.equal(resolve('POST', path), undefined, path);
  });

  it('are answered by the most specific path of a context, in whichever order they stand', () => {
    const wide: Destination = { paths: ['/git/**'], service: 'processes', authenticatedBy: 'service' };
    const narrow: Destination = {
      paths: ['/git/{owner}/{repository}/info/refs'],
      service: 'commands',
      key: 'repository',
    };
    for (const order of [
      [wide, narrow],
      [narrow, wide],
    ]) {
      const resolve = resolverOf(...order);
      assert.deepEqual(resolve('GET', '/git/ann/one.git/info/refs?service=git-upload-pack'), {
        upstream: 'commands',
        authenticatedBy: 'gateway',
        key: 'one.git',
      });
      assert.equal(resolve('POST', '/git/ann/one.git/git-upload-pack')?.upstream, 'processes');
    }
  });

  it('are refused where two could answer one request', () => {
    for (const [one, other] of [
      ['/media/{kind}/index', '/media/video/{name}'],
      ['/media/{name}', '/media/{id}'],
      ['/media/{name}.m4s', '/media/{number}x{name}'],
      ['/media/{name}', '/media/film/**'],
      ['/media/**', '/media/**'],
    ] as const)
      refused(/overlap, and neither is more specific/, context('one', { ...edge, paths: [one, other] }));
    refused(
      /\/media\/film of two and \/media\/\*\* of one overlap|\/media\/\*\* of one and \/media\/film of two overlap/,
      context('one', edge),
      context('two', { ...edge, paths: ['/media/film'] }),
    );
    refused(/of gateway/, context('one', { ...edge, paths: ['/console/media'] }));
    refused(/of gateway/, context('one', { ...edge, paths: ['/{anything}/x'] }));
    // Other methods, and other characters.
    resolverOf(edge, { ...edge, methods: ['PUT'] }, { ...edge, paths: ['/mediathek/**'] });
    resolverOf({ ...edge, paths: ['/runs/{runId}', '/runs/{runId}:cancel'] });
  });

  it('are refused when they contradict themselves', () => {
    const operation = { operation: 'getMedia', summary: 'Media.', scopes: [], sensitive: false };
    for (const [expected, change] of [
      [/no service nowhere/, { service: 'nowhere' }],
      [/only questions and GET/, { service: 'read-api', methods: ['GET', 'POST'] }],
      [/only questions and GET/, { service: 'read-api', methods: ['POST'] }],
      [/a question is a POST/, { service: 'commands', methods: ['POST'], question: true }],
      [/a question is a POST/, { service: 'read-api', methods: ['PUT'], question: true }],
      [/begins with GET/, { methods: ['POST'], webSocket: true }],
      [/belong to one path/, { operations: { GET: operation } }],
      [/scopes are of access tokens/, { methods: undefined, operations: { GET: { ...operation, scopes: ['a:b'] } } }],
      [/a size and an idle time/, { transfer: { maxBytes: 1, idleMilliseconds: 0 } }],
      [/no other origin/, { browser: true, readableFrom: '*' }],
      [/scheme, host and port/, { readableFrom: ['https://a.example', 'https://b.example/'] }],
      [/at least its idle time/, { transfer: { maxBytes: 1, idleMilliseconds: 9, maxMilliseconds: 8 } }],
      [/at most 24 days/, { transfer: { maxBytes: 1, idleMilliseconds: 9, maxMilliseconds: 2 ** 31 } }],
      [/not a path template/, { paths: ['media'] }],
      [/not a path template/, { paths: ['/media//x'] }],
      [/not a path template/, { paths: ['/media/{a}{b}'] }],
      [/not a path template/, { paths: ['/**/x'] }],
    ] as const) {
      const { methods, ...rest } = { ...edge, ...change } as Destination;
      refused(expected, context('one', methods === undefined ? rest : { ...rest, methods }));
    }
  });

  it('send a POST to the query API where it is a question', () => {
    const resolve = resolverOf({
      paths: ['/v1/retrieval/search'],
      methods: ['POST'],
      service: 'read-api',
      question: true,
    });
    assert.equal(resolve('POST', '/v1/retrieval/search')?.upstream, 'read-api');
    assert.equal(resolve('POST', '/v1/retrieval/other')?.upstream, 'commands');
    assert.equal(resolve('PUT', '/v1/retrieval/search')?.upstream, 'commands');
  });
});
