import assert from 'node:assert/strict';
import { SocketAddress } from 'node:net';
import fc from 'fast-check';
import { isLeft, isRight } from 'fp-ts/Either';
import { loopbackNames, namesOf, normalAddress } from '../../../../packages/eventstore-node/src/certs/subject-names';

describe('names of a certificate', () => {
  it('are those of loopback when nothing is named', () => {
    assert.deepEqual(namesOf([], []), { _tag: 'Right', right: loopbackNames });
  });

  it('are hosts as DNS has them, in any script', () => {
    const names = namesOf(['Example.COM', '*.example.com', 'bücher.example', 'a-1'], ['10.0.0.1', '::1']);
    assert.ok(isRight(names));
    assert.deepEqual(names.right.hosts, ['example.com', '*.example.com', 'xn--bcher-kva.example', 'a-1']);
  });

  it('are nothing else', () => {
    const hosts = ['', 'a b', 'a..b', '-a', 'a-', '10.0.0.1', '::1', '*', 'a.*', 'a/b', 'a:1', `${'a'.repeat(64)}.b`];
    for (const host of [...hosts, `${'a.'.repeat(130)}b`]) assert.ok(isLeft(namesOf([host], [])), host);
    for (const address of ['', 'localhost', '1.2.3', '1.2.3.256', ':::', 'fe80::1%eth0', '1::2::3'])
      assert.ok(isLeft(namesOf([], [address])), address);
  });
});

describe('an address', () => {
  it('is the same in every form it is written in', () => {
    assert.equal(normalAddress('127.0.0.1'), '127.0.0.1');
    assert.equal(normalAddress('0:0:0:0:0:0:0:1'), '::1');
    assert.equal(normalAddress('::FFFF:1.2.3.4'), '::ffff:102:304');
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const normal = normalAddress(address) ?? '';
        assert.match(normal, /^[0-9a-f:]+$/);
        const [one, other] = [address, normal].map((form) => new SocketAddress({ address: form, family: 'ipv6' }));
        assert.equal(one?.address, other?.address);
      }),
    );
  });
});
