/** Which edge a player reads from, and the keys that addresses are signed with. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import { loadConfig } from '../../../infra/server/runtime/config';
import { deliveryKeyVariables, openDeliveryKeys, readDeliveryKeys } from '../../../infra/server/video/delivery-keys';
import { edgeBaseUrl, edgeVariables, readEdges, readLatencies } from '../../../infra/server/video/edges';
import { expectRight } from '../../support/domain/expect-right';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { capturedLog } from '../../support/http/http-service';

const edgesOf = (text: string) =>
  readEdges(expectRight(loadConfig(edgeVariables, text === '' ? {} : { VIDEO_DELIVERY_URLS: text })));

const edges = edgesOf('eu=https://eu.example/, eu-west=https://west.example,us=https://us.example');

describe('the edge of a playback', () => {
  it('is the gateway where there is none', () => {
    assert.equal(edgeBaseUrl(edgesOf(''), 'v-1', { region: 'eu' }), '');
  });

  it('is of the region of the player, the narrowest one', () => {
    const urlAt = (region: string) => edgeBaseUrl(edges, 'v-1', { region });
    assert.equal(urlAt('eu-west-3'), 'https://west.example');
    assert.equal(urlAt('eu-west'), 'https://west.example');
    assert.equal(urlAt('eu-north'), 'https://eu.example');
    assert.equal(urlAt('us'), 'https://us.example');
  });

  it('is the fastest one that the player measured, wherever it is', () => {
    const latencies = readLatencies('eu:80, us:35,mars:1,eu-west:x,:,');
    assert.deepEqual(latencies, { eu: 80, us: 35, mars: 1 });
    assert.equal(edgeBaseUrl(edges, 'v-1', { region: 'eu', latencies }), 'https://us.example');
    assert.equal(edgeBaseUrl(edges, 'v-1', { region: 'us', latencies: { mars: 1 } }), 'https://us.example');
  });

  it('is always one of those, the same for all viewers of a video at one place', () => {
    const hints = fc.record({
      region: fc.constantFrom('', 'eu', 'eu-west', 'asia', '__proto__', 'us-east-1'),
      latencies: fc.dictionary(fc.constantFrom('eu', 'us', 'asia', 'constructor'), fc.nat(500)),
    });
    fc.assert(
      fc.property(fc.string(), hints, fc.array(fc.nat(2), { minLength: 1, maxLength: 3 }), (videoId, hint, order) => {
        const some = [...new Set(order)].map((at) => edges[at] ?? assert.fail());
        const url = edgeBaseUrl(some, videoId, hint);
        assert.ok(some.some((edge) => edge.url === url));
        assert.equal(edgeBaseUrl(some.toReversed(), videoId, hint), url);
      }),
    );
  });

  it('changes for few videos when one more edge is there', () => {
    const many = Array.from({ length: 9 }, (_, at) => ({ region: 'eu', url: `https://e${at}.example` }));
    const moved = Array.from({ length: 500 }, (_, at) => `v-${at}`).filter(
      (videoId) => edgeBaseUrl(many, videoId) !== edgeBaseUrl(many.slice(1), videoId),
    );
    for (const videoId of moved) assert.equal(edgeBaseUrl(many, videoId), 'https://e0.example');
    assert.ok(moved.length > 20 && moved.length < 110, `${moved.length} of 500`);
  });

  it('is not taken from a list that is malformed', () => {
    for (const text of ['https://eu.example', 'eu=ftp://x', 'EU=https://x.example', 'eu=https://x.example/path'])
      assert.ok(isLeft(loadConfig(edgeVariables, { VIDEO_DELIVERY_URLS: text })), text);
  });
});

describe('delivery keys', () => {
  const directory = useTemporaryDirectory('delivery-keys');
  const [one, other] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')];
  const load = (text: string) => loadConfig(deliveryKeyVariables, { VIDEO_DELIVERY_KEYS: text });
  const read = (text: string) => readDeliveryKeys(expectRight(load(text)));

  it('are secrets alone or after an id, the first of which signs', () => {
    const [signs, former] = read(`${one}\nk1:${other}`) ?? [];
    assert.deepEqual(former, { id: 'k1', secret: other });
    assert.equal(signs?.secret, one);
    assert.deepEqual(read(`${other} ${one}`)?.[1], signs);
    assert.equal(readDeliveryKeys(expectRight(loadConfig(deliveryKeyVariables, {}))), undefined);
  });

  it('are refused where one is short, or two have one id', () => {
    for (const text of ['short', `${one} short`, `k1:${one} k1:${other}`, `${one} ${one}`, `:${one}`, `a b:${one}`])
      assert.ok(isLeft(load(text)), text);
  });

  it('are read again from their file', () => {
    const path = join(directory, 'keys');
    writeFileSync(path, one);
    let now = 0;
    const keys = openDeliveryKeys({ text: one, path, log: capturedLog(), now: () => now });
    writeFileSync(path, `${other}\n${one}\n`);
    now = 2_000;
    assert.deepEqual(keys(), read(`${other} ${one}`));
    writeFileSync(path, 'short');
    now = 4_000;
    assert.deepEqual(keys(), read(`${other} ${one}`));
  });
});
