import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isLeft, isRight } from 'fp-ts/Either';
import { memoryReplayCache } from '../../../../infra/adapters/redis/identity/memory-replay-cache';
import { signCaller } from '../../../../infra/server/http/identity/identity-header';
import { readTicket, ticketLine } from '../../../../infra/server/http/identity/socket-ticket';
import { sampleIdentity } from '../../../support/http/http-service';
import {
  callerKeysFrom,
  limiterKey,
  macSigner,
  newInternalKey,
  signatures,
  signer,
  signerWith,
} from '../../../support/http/internal-keys';

const now = 1_750_000_000_000;
const identity = { ...sampleIdentity, expiresAt: now, securityEpoch: 3 };
const ticketWith = (changes: object = {}): string =>
  signCaller({ identity, requestId: 'request-1', ...changes }, { signer, line: ticketLine, now });
/** The order of P-256's base point (SEC 2 section 2.4.2). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

describe('a ticket', () => {
  it('says who asked for it, for half a minute', () => {
    const read = readTicket(ticketWith(), signatures, now);
    assert.ok(isRight(read));
    assert.deepEqual(read.right.identity, identity);
    assert.equal(read.right.expiresAt, now + 30_000);
    assert.ok(isLeft(readTicket(ticketWith(), signatures, now + 30_001)));
  });

  it('is none when any character of it is another', () => {
    const written = ticketWith();
    fc.assert(
      fc.property(fc.nat(written.length - 2), fc.constantFrom('A', 'z', '.', '_'), (at, character) => {
        fc.pre(written[at] !== character);
        assert.ok(isLeft(readTicket(`${written.slice(0, at)}${character}${written.slice(at + 1)}`, signatures, now)));
      }),
    );
    assert.ok(isLeft(readTicket(written, callerKeysFrom(newInternalKey('gateway', 'everybody')), now)));
    for (const other of ['', 'v2', 'v2...', 't1.e30.', `${written}.x`, 'x'.repeat(20_000)])
      assert.ok(isLeft(readTicket(other, signatures, now)));
  });

  it('cannot be made of the header of another request or without a principal, or with the key of a service or a shared key', () => {
    const line = { method: 'GET', target: '/v1/streams/tickets' };
    const others = [
      signCaller({ identity, requestId: 'r' }, { signer, line, now }),
      ticketWith({ identity: undefined }),
      signCaller({ identity, requestId: 'r' }, { signer: signerWith(limiterKey), line: ticketLine, now }),
      signCaller({ identity, requestId: 'r' }, { signer: macSigner, line: ticketLine, now }),
    ];
    for (const other of others) assert.ok(isLeft(readTicket(other, signatures, now)));
  });

  it('is the same ticket with its signature in the other form that is valid, too', () => {
    const written = ticketWith();
    const signature = Buffer.from(written.split('.')[3] ?? '', 'base64url');
    const s = BigInt(`0x${signature.subarray(32).toString('hex')}`);
    const mirrored = Buffer.from((order - s).toString(16).padStart(64, '0'), 'hex');
    const other = Buffer.concat([signature.subarray(0, 32), mirrored]).toString('base64url');
    const [one, same] = [written, `${written.slice(0, written.lastIndexOf('.'))}.${other}`].map((ticket) =>
      readTicket(ticket, signatures, now),
    );
    assert.ok(one && isRight(one) && same && isRight(same));
    assert.equal(one.right.id, same.right.id);
  });
});

describe('first sight of an id', () => {
  it('is the first only once, until it is forgotten', async () => {
    let moment = now;
    const once = memoryReplayCache(() => moment);
    const first = async (id: string): Promise<boolean> => {
      const found = await once.first(id, 1_000);
      return isRight(found) && found.right;
    };
    assert.deepEqual([await first('a'), await first('a'), await first('b')], [true, false, true]);
    moment += 1_001;
    assert.equal(await first('a'), true);
  });
});
