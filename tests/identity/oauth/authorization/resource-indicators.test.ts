import assert from 'node:assert/strict';
import { left, right } from 'fp-ts/Either';
import {
  audiencesFor,
  listAudiences,
  targetRefusal,
} from '../../../../domain/identity/authorization/resource-indicators';

const home = {
  issuer: 'https://septet.example',
  audiences: ['septet', 'orders', 'https://api.example', 'https://septet.example/mcp'],
};

describe('a requested resource', () => {
  const allowed = ['septet', 'orders', 'https://api.example'];
  const found: readonly (readonly [readonly string[], readonly string[]])[] = [
    [['orders'], ['orders']],
    [['https://api.example'], ['https://api.example']],
    // As libraries write a URL that is a host.
    [['https://api.example/'], ['https://api.example']],
    [['https://api.example/', 'https://api.example'], ['https://api.example']],
    // Our own API, as its metadata names it.
    [['https://septet.example'], ['septet']],
    [['https://septet.example/', 'https://septet.example/v1/people'], ['septet']],
    [[], []],
  ];
  for (const [resources, audiences] of found)
    it(`${resources.join(' and ') || 'nothing'} is ${audiences.join(', ') || 'nothing'}`, () =>
      assert.deepEqual(audiencesFor(resources, allowed, home), right(audiences)));

  for (const resource of [
    'https://api.example/other',
    'https://api.example.evil.example/',
    'https://septet.example.evil.example/',
    'https://septet.examples',
    // Of another service at the same host, which the client may not reach.
    'https://septet.example/mcp',
    'payments',
    '',
  ])
    it(`${resource || 'without a name'} is refused`, () =>
      assert.deepEqual(audiencesFor(['orders', resource], allowed, home), left('invalid_target')));

  it('is not our own API for a client that may not reach it', () =>
    assert.deepEqual(audiencesFor(['https://septet.example'], ['orders'], home), left('invalid_target')));
});

describe('the refusal of a resource', () => {
  it('names what the client may ask for, and where that is registered', () => {
    assert.match(targetRefusal(['septet', 'orders']), /may ask for septet, orders\. The audiences of a client/);
    assert.match(targetRefusal([]), /may ask for nothing\./);
  });

  it('has only letters that descriptions of errors may have, and not too many', () => {
    assert.equal(listAudiences(['a "quote"', 'back\\slash', 'ümlaut']), 'a??quote?, back?slash, ?mlaut');
    assert.equal(listAudiences(Array.from({ length: 12 }, (_, at) => `a${at}`)).slice(-11), ' and 2 more');
  });
});
