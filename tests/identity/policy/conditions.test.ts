/** Edges of times, networks and paths. */
import assert from 'node:assert/strict';
import { isInNetwork, parseAddress, parseNetwork } from '../../../domain/identity/policy/networks';
import { pathSegments } from '../../../domain/identity/policy/paths';
import { compileWindow } from '../../../domain/identity/policy/times';

describe('windows of time', () => {
  const isIn = (window: Parameters<typeof compileWindow>[0], at: string) => compileWindow(window)(Date.parse(at));
  it('follow the clock of the zone through daylight saving', () => {
    const office = { zone: 'Europe/Berlin', from: '08:00', until: '18:00' } as const;
    assert.deepEqual(
      [
        '2026-01-15T06:59:59.999Z',
        '2026-01-15T07:00:00.000Z',
        '2026-07-15T05:59:59.999Z',
        '2026-07-15T06:00:00.000Z',
      ].map((at) => isIn(office, at)),
      [false, true, false, true],
    );
    assert.deepEqual(
      ['2026-01-15T16:59:59.999Z', '2026-01-15T17:00:00.000Z'].map((at) => isIn(office, at)),
      [true, false],
    );
  });
  it('have an hour twice where the clock is turned back, and no hour that is left out', () => {
    const twoToThree = { zone: 'Europe/Berlin', from: '02:00', until: '03:00' } as const;
    const hours = (day: string) => [0, 1, 2].map((hour) => isIn(twoToThree, `${day}T0${hour}:30:00.000Z`));
    assert.deepEqual(hours('2026-10-25'), [true, true, false]);
    assert.deepEqual(hours('2026-03-29'), [false, false, false]);
  });
  it('over midnight count to the day on which they began', () => {
    const fridayNight = { zone: 'UTC', weekdays: ['FRI'], from: '22:00', until: '06:00' } as const;
    const at = (when: string) => isIn(fridayNight, when);
    assert.deepEqual(
      [
        '2026-11-27T21:59:00.000Z',
        '2026-11-27T22:00:00.000Z',
        '2026-11-28T05:59:00.000Z',
        '2026-11-28T06:00:00.000Z',
      ].map(at),
      [false, true, true, false],
    );
    // Thursday's night, and Saturday's.
    assert.deepEqual(['2026-11-27T05:00:00.000Z', '2026-11-28T23:00:00.000Z'].map(at), [false, false]);
  });
  it('of weekdays alone follow the zone’s date', () => {
    const sunday = { zone: 'Pacific/Auckland', weekdays: ['SUN'] } as const;
    assert.deepEqual(
      ['2026-11-28T11:30:00.000Z', '2026-11-28T10:30:00.000Z'].map((at) => isIn(sunday, at)),
      [true, false],
    );
  });
  it('answer about times in any order', () => {
    const window = compileWindow({ zone: 'UTC', from: '10:00', until: '11:00' });
    const at = (minute: string) => window(Date.parse(`2026-01-01T${minute}:00.000Z`));
    assert.deepEqual(['10:30', '12:00', '10:30', '09:59', '10:00'].map(at), [true, false, true, false, true]);
  });
});

describe('networks', () => {
  const has = (network: string, address: string): boolean => {
    const [parsed, groups] = [parseNetwork(network), parseAddress(address)];
    assert.ok(parsed !== undefined && groups !== undefined, `${network} ${address}`);
    return isInNetwork(groups, parsed);
  };
  it('end at their bits', () => {
    assert.deepEqual(
      ['10.127.255.255', '10.128.0.0', '10.255.255.255', '11.0.0.0'].map((address) => has('10.128.0.0/9', address)),
      [false, true, true, false],
    );
    assert.deepEqual(
      ['2001:db8:0:7fff::1', '2001:db8:0:8000::1', '2001:db9::'].map((address) => has('2001:db8:0:8000::/49', address)),
      [false, true, false],
    );
    assert.ok(has('0.0.0.0/0', '255.255.255.255') && has('192.0.2.1', '192.0.2.1') && !has('192.0.2.1', '192.0.2.2'));
  });
  it('know an IPv4 address in an IPv6 one, and no other', () => {
    assert.ok(has('192.0.2.0/24', '::ffff:192.0.2.7') && has('192.0.2.0/24', '::ffff:c000:207'));
    assert.ok(!has('0.0.0.0/0', '2001:db8::1') && !has('0.0.0.0/0', '::192.0.2.7') && has('::/0', '192.0.2.7'));
  });
  it('are written in one way', () => {
    for (const text of [
      '10.0.0.1/8',
      '10.0.0.0/33',
      '10.0.0.0/08',
      '010.0.0.0/8',
      '10.0.0',
      '::/129',
      '1::2::3',
      ':::',
      '2001:db8::1/32',
      '10.0.0.0/8/8',
      '',
      'fe80::1%eth0',
    ])
      assert.equal(parseNetwork(text), undefined, text);
  });
});

describe('paths', () => {
  const own = (path: string) => pathSegments(path)?.join('|');
  const foreign = (path: string) => pathSegments(path, { isForeign: true })?.join('|');
  it('are segments, decoded, without query and end slash, in the case they are written in', () => {
    assert.deepEqual(['/', '/v1/a?b=/c', '/v1/a/', '/v1/%41b', '/V1/A'].map(own), [
      '',
      'v1|a',
      'v1|a',
      'v1|Ab',
      'V1|A',
    ]);
  });
  it('have an encoded slash as a character of one segment, which services of others may not', () => {
    assert.deepEqual([own('/v1/a%2Fb'), foreign('/v1/a%2Fb')], ['v1|a/b', undefined]);
  });
  it('with two readings are none', () => {
    for (const path of [
      'v1',
      '//v1',
      '/v1//a',
      '/v1/./a',
      '/v1/../a',
      '/v1/%2e%2e/a',
      '/v1/.%2E/a',
      '/v1/a%2f..',
      '/v1/a%5cb',
      '/v1/a%00',
      '/v1/a%',
      '/v1/%ff',
    ])
      assert.equal(own(path), undefined, path);
  });
});
