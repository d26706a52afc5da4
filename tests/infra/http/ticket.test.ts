import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { isLeft, isRight } from 'fp-ts/Either';
import { memoryOnce } from '../../../infra/gateway/once';
import { readTicket, ticketMilliseconds, writeTicket } from '../../../infra/http/ticket';
import { someone } from '../../support/http-service';

const key = createSecretKey(Buffer.alloc(32, 1));
const now = 1_750_000_000_000;
const ticket = {
  id: 'ticket-1',
  expiresAt: now + ticketMilliseconds,
  identity: { ...someone, expiresAt: now, securityEpoch: 3 },
};

describe('a ticket', () => {
  it('says who asked for it, until it expires', () => {
    const read = readTicket(writeTicket(ticket, key), key, now);
    assert.ok(isRight(read));
    assert.deepEqual(read.right, ticket);
    assert.ok(isLeft(readTicket(writeTicket(ticket, key), key, ticket.expiresAt + 1)));
  });

  it('is none when any character of it is another', () => {
    const written = writeTicket(ticket, key);
    fc.assert(
      fc.property(fc.nat(written.length - 2), fc.constantFrom('A', 'z', '.', '_'), (at, character) => {
        fc.pre(written[at] !== character);
        assert.ok(isLeft(readTicket(`${written.slice(0, at)}${character}${written.slice(at + 1)}`, key, now)));
      }),
    );
    assert.ok(isLeft(readTicket(written, createSecretKey(Buffer.alloc(32, 2)), now)));
    for (const other of ['', 't1', 't1..', 't1.e30.', `${written}.x`, 'x'.repeat(20_000)])
      assert.ok(isLeft(readTicket(other, key, now)));
  });
});

describe('first sight of an id', () => {
  it('is the first only once, until it is forgotten', async () => {
    let moment = now;
    const once = memoryOnce(() => moment);
    const first = async (id: string): Promise<boolean> => {
      const found = await once.first(id, 1_000);
      return isRight(found) && found.right;
    };
    assert.deepEqual([await first('a'), await first('a'), await first('b')], [true, false, true]);
    moment += 1_001;
    assert.equal(await first('a'), true);
  });
});
