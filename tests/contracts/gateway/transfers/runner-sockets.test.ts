/** WebSockets whose proof the route checks: what it sees of the handshake, how it refuses, and that limits hold. */
import assert from 'node:assert/strict';
import { defaultPolicy } from '../../../../infra/gateway/rate-limit/default-policy';
import { slowBucket } from '../../../support/gateway/small-limits';
import { sampleIdentity, sendRawRequest, signedHeader } from '../../../support/http/http-service';
import { handshake } from '../../../support/http/raw-socket';
import { openSocketClient, refusedSocket } from '../../../support/http/socket-client';
import { eventually } from '../../../support/waiting/eventually';
import { registrationTokens, runnerProtocol } from './runners';
import { startTransferSystem, type TransferSystem } from './system';

const path = '/runners/r-1/socket';
const { own, others } = registrationTokens;

describe('WebSockets with a proof of their own', function () {
  this.timeout(20_000);
  let system: TransferSystem;
  before(async () => {
    const defaults = defaultPolicy.defaults.map((rule) =>
      rule.name === 'refused-caller' ? { ...rule, limit: slowBucket(20) } : rule,
    );
    const policy = { ...defaultPolicy, version: 'test', defaults };
    system = await startTransferSystem({ GATEWAY_RATELIMIT_POLICY: JSON.stringify(policy) });
  });
  after(() => system.close());

  const opening = (authorization?: string, more: Record<string, string> = {}) => ({
    protocols: [runnerProtocol],
    headers: { ...(authorization === undefined ? {} : { authorization }), ...more },
  });
  const place = (of = path): string => `ws://127.0.0.1:${system.port}${of}`;

  it('open without an access token, once the route has admitted the handshake', async () => {
    const forged = {
      'septet-identity': signedHeader('GET', `${path}?label=linux`, sampleIdentity),
      'x-forwarded-for': '10.0.0.1',
      'septet-tenant': 'acme',
      cookie: 'a=b',
      'x-runner-version': '3',
    };
    const client = await openSocketClient(place(`${path}?label=linux`), opening(own, forged));
    client.sendJson({ hello: 'there' });
    assert.deepEqual(await client.next(), { type: 'echo', data: { hello: 'there' } });
    const { headers, query, parameters, requestId } = system.runners.last();
    assert.deepEqual([query, parameters, headers.authorization], ['label=linux', { runnerId: 'r-1' }, own]);
    assert.equal(headers['x-runner-version'], '3');
    assert.ok(requestId.length > 0);
    for (const name of ['septet-identity', 'septet-tenant', 'cookie']) assert.equal(headers[name], undefined, name);
    assert.notEqual(headers['x-forwarded-for'], '10.0.0.1');
    assert.deepEqual(await refusedSocket(place(), opening(own)), [409, 'conflict'], 'it is connected already');
    client.socket.close();
    await client.closed;
    await eventually(async () => {
      const next = await openSocketClient(place(), opening(own));
      next.socket.close();
      await next.closed;
    });
  });

  it('are refused by a problem before the upgrade, with what belongs to it', async () => {
    assert.deepEqual(await refusedSocket(place(), opening()), [401, 'unauthenticated']);
    assert.deepEqual(await refusedSocket(place(), opening(others)), [403, 'forbidden']);
    const head = handshake(path, { 'Sec-WebSocket-Protocol': runnerProtocol });
    assert.match(await sendRawRequest(system.port, head), /^HTTP\/1\.1 401 [\s\S]*\r\nwww-authenticate: Runner\r\n/);
    const protocols = { ...opening(own), protocols: ['septet.other.v1'] };
    assert.deepEqual(await refusedSocket(place(), protocols), [400, 'invalid-input']);
    assert.deepEqual(await refusedSocket(place('/runners/r-1/other'), opening(own)), [404, 'not-found']);
    const foreign = opening(own, { origin: 'https://elsewhere.test' });
    assert.deepEqual(await refusedSocket(place(), foreign), [403, 'forbidden']);
  });

  it('take no access token for a proof', async () => {
    const token = `Bearer ${system.token()}`;
    assert.deepEqual(await refusedSocket(place(), opening(token)), [401, 'unauthenticated']);
    assert.equal(system.runners.last().headers.authorization, token);
  });

  it('are refused when the route fails, and others go on', async () => {
    assert.deepEqual(await refusedSocket(place('/runners/defect/socket'), opening(own)), [500, 'internal-error']);
    const client = await openSocketClient(place('/runners/r-2/socket'), opening(own));
    client.sendJson({});
    assert.equal((await client.next()).type, 'echo');
    client.socket.close();
    await client.closed;
  });

  it('are opened for the gateway only', async () => {
    const requests = system.runners.count();
    const url = `ws://127.0.0.1:${system.films.port}${path}`;
    assert.deepEqual(await refusedSocket(url, opening(own)), [401, 'unauthenticated']);
    // A header of another request does not do, and one with an identity makes no runner of its caller.
    const header = (target: string) => ({ 'septet-identity': signedHeader('GET', target, sampleIdentity) });
    assert.deepEqual(await refusedSocket(url, opening(own, header('/other'))), [401, 'unauthenticated']);
    assert.equal(system.runners.count(), requests);
    assert.deepEqual(await refusedSocket(url, opening(undefined, header(path))), [401, 'unauthenticated']);
    assert.equal('identity' in system.runners.last(), false);
  });

  it('count refused proofs against their address, until it has to wait', async () => {
    await eventually(async () => {
      const tries = Array.from({ length: 10 }, () => refusedSocket(place(), opening('Runner guessed')));
      const statuses = (await Promise.all(tries)).map(([status]) => status);
      assert.ok(statuses.includes(429));
    });
    const requests = system.runners.count();
    // Refused without a look at the proof, also in the seconds after: it is known not to be valid.
    for (let time = 0; time < 20; time += 1)
      assert.equal((await refusedSocket(place(), opening('Runner guessed')))[0], 429);
    assert.equal(system.runners.count(), requests);
  });
});
