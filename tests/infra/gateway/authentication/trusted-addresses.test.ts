import assert from 'node:assert/strict';
import { createCidrList, parseCidr } from '../../../../infra/gateway/authentication/client-address';

describe('places that are trusted', () => {
  it('are addresses and networks of both families', () => {
    const { has } = createCidrList(['10.1.2.3', '192.168.0.0/16', 'fd00::/8']);
    for (const inside of ['10.1.2.3', '192.168.255.1', 'fd12::1']) assert.ok(has(inside), inside);
    for (const outside of ['10.1.2.4', '192.169.0.1', 'fe80::1', '', 'localhost']) assert.ok(!has(outside), outside);
  });
  it('are empty when none are configured', () => assert.ok(!createCidrList([]).has('127.0.0.1')));
  it('are not anything that only looks like one', () => {
    for (const text of ['10.0.0.0/33', 'fd00::/129', '10.0.0.0/-1', '10.0.0.0/8/8', '10.0.0', 'host', '10.0.0.0/', ''])
      assert.equal(parseCidr(text), undefined, text);
  });
});
