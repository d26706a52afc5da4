/** What the console's map shows as a box of a search, and how it draws what crosses the antimeridian. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { boxOf, boxText, nearestLongitude, scaleLength, unwrapRing } from '../../../read-api/web/geo/map/area';

const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true });
/** Coordinates are written to a meter. */
const rounding = 1e-5;
const isClose = (one: number, other: number): boolean => Math.abs(one - other) <= 2 * rounding;
const isSameMeridian = (one: number, other: number): boolean => isClose(Math.cos(((one - other) * Math.PI) / 180), 1);

describe('the area of the console’s map', () => {
  it('is a box whose west is a longitude and whose width stays, wherever the map was dragged', () =>
    fc.assert(
      fc.property(degrees(-2_000, 2_000), degrees(0.01, 359.9), (west, width) => {
        const box = boxOf(boxText({ south: -10, west, north: 10, east: west + width }));
        assert.ok(box !== undefined);
        assert.ok(box.west >= -180 && box.west <= 180 && box.east <= 540);
        assert.ok(isClose(box.east - box.west, width));
        assert.ok(isSameMeridian(box.west, west));
      }),
    ));

  it('has every longitude when it goes around the earth, and the poles at the edges of the projection', () => {
    assert.equal(boxText({ south: -85.06, west: -300, north: 85.06, east: 300 }), '-90,-180,90,180');
    assert.equal(boxText({ south: 1.234567, west: 175, north: 2, east: 190 }), '1.23457,175,2,190');
  });

  it('is none where the address has no box', () => {
    for (const text of ['', '1,2,3', '1,2,3,x', '3,1,2,4', '1,4,2,3', '1,2,2,2']) assert.equal(boxOf(text), undefined);
  });

  it('shows a place on the copy of the world that is nearest to the middle', () =>
    fc.assert(
      fc.property(degrees(-180, 180), degrees(-2_000, 2_000), (lng, middle) => {
        const nearest = nearestLongitude(lng, middle);
        assert.ok(Math.abs(nearest - middle) <= 180 + rounding);
        assert.ok(isSameMeridian(nearest, lng));
      }),
    ));

  it('draws rings without a jump', () =>
    fc.assert(
      fc.property(fc.array(degrees(-180, 180), { minLength: 2, maxLength: 20 }), (longitudes) => {
        const ring = longitudes.map((lng) => ({ lat: 50, lng }));
        const drawn = unwrapRing(ring).slice(0, ring.length);
        drawn.forEach(({ lng }, at) => {
          assert.ok(isSameMeridian(lng, longitudes[at] as number));
          if (at > 0) assert.ok(Math.abs(lng - (drawn[at - 1]?.lng as number)) <= 180 + rounding);
        });
      }),
    ));

  it('closes a ring around the earth along its pole', () => {
    const ring = [-180, -60, 60, 180, -180].map((lng) => ({ lat: -70, lng }));
    assert.deepEqual(unwrapRing(ring).slice(-3), [
      { lat: -90, lng: 180 },
      { lat: -90, lng: -180 },
      { lat: -70, lng: -180 },
    ]);
  });

  it('has a scale of a round length that fits', () =>
    fc.assert(
      fc.property(degrees(0.1, 10_000_000), (width) => {
        const length = scaleLength(width);
        assert.ok(length <= width * (1 + 1e-9) && length > width / 2.6);
        assert.match(length.toExponential(), /^[125]e/);
      }),
    ));
});
