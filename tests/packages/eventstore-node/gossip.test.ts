import assert from 'node:assert/strict';
import { parseAuthority } from '../../../packages/eventstore-node/src/protocol/gossip';

describe('the place that a caller addressed', () => {
  it('is a host with a port', () => {
    assert.deepEqual(parseAuthority('localhost:2113'), { host: 'localhost', port: 2113 });
    assert.deepEqual(parseAuthority('10.0.0.1:1'), { host: '10.0.0.1', port: 1 });
  });

  it('keeps the brackets that clients need to put the port behind', () => {
    assert.deepEqual(parseAuthority('[::1]:65535'), { host: '[::1]', port: 65_535 });
  });

  it('is unknown without both', () => {
    for (const authority of ['', 'localhost', ':2113', 'localhost:', 'localhost:0', 'localhost:65536', 'localhost:x'])
      assert.equal(parseAuthority(authority), undefined, authority);
  });
});
