/** Circles, boxes and cells against other ways to compute the same: vectors in space, and longitudes that are counted on. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type Box, boxOf, boxReach, isInBox, isInCircle } from '../../domain/geo/geometry/area';
import { geohashCell, geohashNeighbours, geohashOf } from '../../domain/geo/geometry/geohash';
import { distanceMeters, type GeoPoint, wholeMeters, wrapLongitude } from '../../domain/geo/geometry/point';

/** Borders of cells, poles and the antimeridian, and points that nearly are on them. */
const edges = [-180, -135, -90, -45, 0, 11.25, 45, 90, 135, 180];
const nearly = (most: number) =>
  fc
    .tuple(
      fc.constantFrom(...edges.filter((edge) => Math.abs(edge) <= most)),
      fc.double({ min: -1e-9, max: 1e-9, noNaN: true }),
    )
    .map(([edge, by]) => Math.max(-most, Math.min(most, edge + by)));
const degrees = (most: number) => fc.oneof(fc.double({ min: -most, max: most, noNaN: true }), nearly(most));
const points: fc.Arbitrary<GeoPoint> = fc.record({ lat: degrees(90), lng: degrees(180) });

/** By the angle between vectors: exact for small and for large distances. */
const vectorOf = ({ lat, lng }: GeoPoint): readonly number[] => {
  const [phi, lambda] = [(lat * Math.PI) / 180, (lng * Math.PI) / 180];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
};
const angleMeters = (one: GeoPoint, other: GeoPoint): number => {
  const [a, b] = [vectorOf(one), vectorOf(other)] as [number[], number[]];
  const cross = Math.hypot(a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!);
  const dot = a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
  return 6_371_008.7714 * Math.atan2(cross, dot);
};

describe('geometry of places', () => {
  it('measures the great circle', () => {
    fc.assert(
      fc.property(points, points, (one, other) => {
        const expected = angleMeters(one, other);
        // Haversine loses digits near the antipode only, where no circle reaches.
        const tolerance = expected > 19_900_000 ? 1 : 1e-3;
        assert.ok(Math.abs(distanceMeters(one, other) - expected) < tolerance);
        assert.equal(distanceMeters(one, other), distanceMeters(other, one));
      }),
    );
  });

  it('knows distances from atlases', () => {
    const known: readonly [GeoPoint, GeoPoint, number][] = [
      [{ lat: 52.52, lng: 13.405 }, { lat: 48.8566, lng: 2.3522 }, 877_464],
      [{ lat: 0, lng: 179.5 }, { lat: 0, lng: -179.5 }, 111_195],
      [{ lat: 90, lng: 12 }, { lat: 90, lng: -150 }, 0],
      [{ lat: 89, lng: 0 }, { lat: 89, lng: 180 }, 222_390],
    ];
    for (const [one, other, meters] of known) assert.ok(Math.abs(distanceMeters(one, other) - meters) < 10);
    assert.deepEqual([0.49, 0.5, 1.5].map(wholeMeters), [0, 1, 2]);
  });

  it('has points on the edge of a circle in it, within a centimeter', () => {
    fc.assert(
      fc.property(points, fc.integer({ min: 1, max: 50_000 }), points, (center, radius, point) => {
        const meters = angleMeters(center, point);
        if (Math.abs(meters - radius) < 0.02) return;
        assert.equal(isInCircle({ center, radius }, point), meters < radius);
      }),
    );
    const center = { lat: 0, lng: 0 };
    const point = { lat: 0, lng: 0.01 };
    const radius = distanceMeters(center, point);
    assert.ok(isInCircle({ center, radius }, point));
    assert.ok(isInCircle({ center, radius: radius - 0.009 }, point));
    assert.ok(!isInCircle({ center, radius: radius - 0.011 }, point));
  });

  it('finds in a box of any longitudes what counting on finds', () => {
    const corners = fc.record({
      south: degrees(90),
      north: degrees(90),
      west: degrees(720),
      width: fc.double({ min: 1e-6, max: 400, noNaN: true }),
    });
    fc.assert(
      fc.property(corners, points, ({ south, north, west, width }, point) => {
        const box = boxOf({ south, north, west, east: west + width });
        if (!(south < north)) return assert.equal(box, undefined);
        if (box === undefined) return;
        const turns = [-3, -2, -1, 0, 1, 2, 3].map((turn) => point.lng + 360 * turn);
        const offEdges = turns.every((lng) => Math.abs(lng - west) > 1e-9 && Math.abs(lng - west - width) > 1e-9);
        if (!offEdges && width < 360) return;
        const isAround =
          width >= 360 || Math.abs(point.lat) === 90 || turns.some((lng) => west <= lng && lng <= west + width);
        assert.equal(isInBox(box, point), isAround && south <= point.lat && point.lat <= north);
      }),
    );
  });

  it('has both sides of the antimeridian and the poles in boxes that touch them', () => {
    const box = (south: number, west: number, north: number, east: number) =>
      boxOf({ south, west, north, east }) as Box;
    assert.ok(isInBox(box(-1, 170, 1, 180), { lat: 0, lng: -180 }));
    assert.ok(isInBox(box(-1, -180, 1, -170), { lat: 0, lng: 180 }));
    assert.ok(isInBox(box(-1, 179, 1, -179), { lat: 0, lng: 180 }));
    assert.ok(!isInBox(box(-1, 179, 1, -179), { lat: 0, lng: 0 }));
    assert.ok(isInBox(box(80, 10, 90, 20), { lat: 90, lng: -100 }));
    assert.ok(isInBox(box(-1, 170, 1, 190), { lat: 0, lng: -175 }));
    assert.equal(boxOf({ south: 1, west: 0, north: 1, east: 1 }), undefined);
    assert.equal(boxOf({ south: 0, west: 3, north: 1, east: 3 }), undefined);
    assert.equal(boxOf({ south: 0, west: 180, north: 1, east: -180 }), undefined);
    assert.equal(boxOf({ south: 2, west: 0, north: 1, east: 1 }), undefined);
  });

  it('reaches every point of a box from its middle', () => {
    const narrow = fc.record({
      south: degrees(89),
      height: fc.double({ min: 1e-3, max: 1, noNaN: true }),
      west: degrees(180),
      width: fc.double({ min: 1e-3, max: 2, noNaN: true }),
    });
    fc.assert(
      fc.property(
        narrow,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (corners, up, right) => {
          const { south, height, west, width } = corners;
          const box = boxOf({ south, north: south + height, west, east: west + width }) as Box;
          const { center, radius } = boxReach(box);
          const point = { lat: south + up * height, lng: wrapLongitude(west + right * width) };
          assert.ok(distanceMeters(center, point) <= radius * 1.001 + 1);
        },
      ),
    );
  });

  it('wraps longitudes and leaves those of the earth alone', () => {
    assert.deepEqual([180, -180, 181, -181, 540, 720.5].map(wrapLongitude), [180, -180, -179, 179, -180, 0.5]);
  });

  it('has geohashes that others have', () => {
    assert.equal(geohashOf({ lat: 57.64911, lng: 10.40744 }, 11), 'u4pruydqqvj');
    assert.equal(geohashOf({ lat: 42.6, lng: -5.6 }, 5), 'ezs42');
    assert.equal(geohashOf({ lat: 90, lng: 180 }, 5), 'zzzzz');
    assert.equal(geohashOf({ lat: -90, lng: -180 }, 5), '00000');
    assert.equal(geohashCell('a'), undefined);
    const around = ['dqcjj', 'dqcjm', 'dqcjn', 'dqcjp', 'dqcjr', 'dqcjt', 'dqcjw', 'dqcjx'];
    assert.deepEqual(geohashNeighbours('dqcjq').toSorted(), around);
  });

  it('has each point in its cell, and cells with each other as neighbours', () => {
    fc.assert(
      fc.property(points, fc.integer({ min: 1, max: 9 }), (point, length) => {
        const geohash = geohashOf(point, length);
        const cell = geohashCell(geohash);
        assert.ok(cell !== undefined);
        assert.ok(
          cell.south <= point.lat && point.lat <= cell.north && cell.west <= point.lng && point.lng <= cell.east,
        );
        for (const neighbour of geohashNeighbours(geohash))
          assert.ok(geohashNeighbours(neighbour).includes(geohash), `${geohash} ${neighbour}`);
      }),
    );
  });
});
