import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { clientAddressOf, createAddressResolver } from '../../../../infra/gateway/authentication/client-address';

const from = (remoteAddress: string, ...forwarded: readonly string[]): IncomingMessage =>
  ({
    socket: { remoteAddress },
    headersDistinct: forwarded.length === 0 ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

const seen = (proxies: readonly string[], request: IncomingMessage): string => {
  createAddressResolver(proxies)(request);
  return clientAddressOf(request);
};

describe('where a client is', () => {
  it('is where its connection comes from, whatever it says itself', () => {
    assert.equal(seen([], from('192.0.2.7', '203.0.113.9')), '192.0.2.7');
    assert.equal(seen(['10.0.0.0/8'], from('192.0.2.7', '203.0.113.9')), '192.0.2.7');
    assert.equal(seen([], from('::ffff:192.0.2.7')), '192.0.2.7');
  });

  it('is what a believed proxy says, and not what stood there before it', () => {
    const proxies = ['10.0.0.0/8'];
    assert.equal(seen(proxies, from('10.0.0.1', '203.0.113.9')), '203.0.113.9');
    assert.equal(seen(proxies, from('10.0.0.1', '198.51.100.1, 203.0.113.9')), '203.0.113.9');
    assert.equal(seen(proxies, from('10.0.0.1', '198.51.100.1', '203.0.113.9, 10.0.0.2')), '203.0.113.9');
    assert.equal(seen(proxies, from('10.0.0.1', '10.9.9.9, 203.0.113.9, 10.0.0.2')), '203.0.113.9');
  });

  it('is read as proxies write it: with ports, in brackets, mapped', () => {
    const proxies = ['10.0.0.0/8'];
    assert.equal(seen(proxies, from('::ffff:10.0.0.1', '203.0.113.9:51234')), '203.0.113.9');
    assert.equal(seen(proxies, from('10.0.0.1', '[2001:db8::7]:443')), '2001:db8::7');
    assert.equal(seen(proxies, from('10.0.0.1', '2001:db8::7')), '2001:db8::7');
    assert.equal(seen(proxies, from('10.0.0.1', '::ffff:203.0.113.9')), '203.0.113.9');
  });

  it('is the last one that was believed where there is no more, or nothing that is an address', () => {
    const proxies = ['10.0.0.0/8'];
    assert.equal(seen(proxies, from('10.0.0.1')), '10.0.0.1');
    assert.equal(seen(proxies, from('10.0.0.1', 'unknown')), '10.0.0.1');
    assert.equal(seen(proxies, from('10.0.0.1', '203.0.113.9, _hidden, 10.0.0.2')), '10.0.0.2');
    assert.equal(seen(proxies, from('10.0.0.1', Array(9_000).fill('10.0.0.3').join())), '10.0.0.3');
  });
});
