import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  elements,
  identifier,
  integer,
  octets,
  sequence,
  tagged,
  time,
} from '../../../../infra/eventstore/node/certs/der';

const hex = (bytes: Buffer): string => bytes.toString('hex');

describe('DER', () => {
  it('gives back what it was made of, of any length', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 70_000 }), { maxLength: 4 }), (contents) => {
        const [whole, ...more] = elements(sequence(...contents.map((content) => octets(content))));
        assert.deepEqual(more, []);
        assert.deepEqual(
          elements(whole?.content ?? Buffer.alloc(0)).map(({ tag, content }) => [tag, hex(content)]),
          contents.map((content) => [0x04, hex(Buffer.from(content))]),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('writes lengths in the shortest form', () => {
    assert.equal(hex(tagged(0x04, Buffer.alloc(127)).subarray(0, 2)), '047f');
    assert.equal(hex(tagged(0x04, Buffer.alloc(128)).subarray(0, 3)), '048180');
    assert.equal(hex(tagged(0x04, Buffer.alloc(256)).subarray(0, 4)), '04820100');
  });

  it('writes positive numbers, without needless zeros', () => {
    assert.equal(hex(integer(Buffer.from([]))), '020100');
    assert.equal(hex(integer(Buffer.from([0, 0, 1]))), '020101');
    assert.equal(hex(integer(Buffer.from([0x80]))), '02020080');
    assert.equal(hex(integer(Buffer.from([0, 0x7f]))), '02017f');
  });

  it('writes object identifiers as the standard shows them', () => {
    assert.equal(hex(identifier('1.2.840.113549')), '06062a864886f70d');
    assert.equal(hex(identifier('2.5.29.17')), '0603551d11');
    assert.equal(hex(identifier('1.2.840.10045.4.3.2')), '06082a8648ce3d040302');
  });

  it('writes the year in two digits up to 2049', () => {
    assert.equal(time(new Date('2049-12-31T23:59:59.999Z')).subarray(2).toString(), '491231235959Z');
    assert.equal(time(new Date('2050-01-01T00:00:00Z')).subarray(2).toString(), '20500101000000Z');
    assert.deepEqual([time(new Date('2049-01-01'))[0], time(new Date('2050-01-01'))[0]], [0x17, 0x18]);
  });
});
