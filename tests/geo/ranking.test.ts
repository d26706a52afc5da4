/** How names are folded and matched, and what makes a place better than another. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { foldedText, tokensOf } from '../../domain/geo/ranking/folding';
import {
  compareRanked,
  popularityShare,
  type RankInput,
  rankOf,
  ratingShare,
  weights,
} from '../../domain/geo/ranking/rank';
import { editDistance, textClassOf } from '../../domain/geo/ranking/text-class';

const folded: readonly (readonly [string, string])[] = [
  ['Zürich', 'zurich'],
  ['STRAẞE', 'strasse'],
  ['Łódź', 'lodz'],
  ['Tromsø', 'tromso'],
  ['İstanbul', 'istanbul'],
  ["L'Hôpital", 'lhopital'],
  ['Saint-Étienne', 'saint etienne'],
  ['Αθήνας', 'αθηνασ'],
  ['Москва́', 'москва'],
  ['東京都', '東 京 都'],
  ['서울', '서울'],
  ['ﬁnance', 'finance'],
  ['दिल्ली', 'दिल्ली'],
];
const place = { mainName: 'san francisco', names: ['san francisco', 'sf'], words: ['city', 'golden gate avenue'] };

/** By its definition, without a table. */
const plainDistance = (one: readonly string[], other: readonly string[]): number => {
  if (one.length === 0 || other.length === 0) return one.length + other.length;
  const [a, b] = [one.slice(1), other.slice(1)];
  const options = [
    plainDistance(a, other) + 1,
    plainDistance(one, b) + 1,
    plainDistance(a, b) + (one[0] === other[0] ? 0 : 1),
  ];
  if (one.length > 1 && other.length > 1 && one[0] === other[1] && one[1] === other[0])
    options.push(plainDistance(one.slice(2), other.slice(2)) + 1);
  return Math.min(...options);
};

const input: RankInput = {
  meters: 100,
  radius: 5_000,
  textClass: null,
  popularityShare: 0.5,
  ratingShare: 0.5,
  isPermanentlyClosed: false,
};
const share = fc.double({ min: 0, max: 1, noNaN: true });
const inputs: fc.Arbitrary<RankInput> = fc.record({
  meters: fc.double({ min: 0, max: 50_000, noNaN: true }),
  radius: fc.integer({ min: 1, max: 20_000_000 }),
  textClass: fc.constantFrom(null, 'exact', 'alternative', 'prefix', 'tokens', 'fuzzy'),
  popularityShare: share,
  ratingShare: share,
  isPermanentlyClosed: fc.boolean(),
});

describe('ranking of places', () => {
  it('folds spellings into one', () => {
    for (const [written, expected] of folded) assert.equal(foldedText(written), expected);
    for (const empty of ['', '  ', '?!…', '👍🏽 🇨🇭', '---']) assert.deepEqual(tokensOf(empty), []);
  });

  it('folds a folded text to itself, and never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) =>
        assert.equal(foldedText(foldedText(text)), foldedText(text)),
      ),
    );
  });

  it('has five classes of matches', () => {
    const classes = [
      'san francisco',
      'sf',
      'san fran',
      'francisco san',
      'san francisco ci',
      'golden',
      'sam franzisco',
      'oakland',
      'zan francisco',
    ];
    const expected = ['exact', 'alternative', 'prefix', 'tokens', 'tokens', 'tokens', 'fuzzy', undefined, undefined];
    assert.deepEqual(
      classes.map((query) => textClassOf(query, place)),
      expected,
    );
  });

  it('counts edits as their definition does', () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 5 });
    fc.assert(
      fc.property(words, words, (one, other) =>
        assert.equal(editDistance(one.join(''), other.join('')), plainDistance(one, other)),
      ),
    );
  });

  it('has half the weight of distance at half the radius', () => {
    assert.equal(rankOf({ ...input, meters: 2_500 }).terms.distance, weights.distance / 2);
    assert.equal(rankOf({ ...input, meters: 0 }).terms.distance, weights.distance);
  });

  it('counts distance less in areas wider than every circle', () => {
    const [local, wide, earth] = [50_000, 500_000, 20_000_000].map(
      (radius) => rankOf({ ...input, radius, meters: 0 }).terms.distance,
    ) as [number, number, number];
    assert.deepEqual([local, wide], [weights.distance, weights.distance / 10]);
    assert.ok(earth < weights.distance / 100);
  });

  it('ranks what many know at half the radius before what is unknown at the point', () => {
    const known = rankOf({ ...input, meters: 2_500, popularityShare: 1 });
    assert.ok(known.score > rankOf({ ...input, meters: 0, popularityShare: 0 }).score);
    assert.ok(
      rankOf({ ...input, meters: 5_000, popularityShare: 1 }).score <
        rankOf({ ...input, meters: 0, popularityShare: 0.5 }).score,
    );
  });

  it('sums terms that stay within their weights', () => {
    fc.assert(
      fc.property(inputs, (one) => {
        const { terms, factor, score } = rankOf(one);
        for (const [name, value] of Object.entries(terms))
          assert.ok(value >= 0 && value <= weights[name as keyof typeof weights]);
        assert.ok(Math.abs(score - factor * Object.values(terms).reduce((sum, value) => sum + value, 0)) < 1e-12);
      }),
    );
  });

  it('never ranks a place lower for being nearer, better known or a better match', () => {
    const classes = [null, 'fuzzy', 'tokens', 'prefix', 'alternative', 'exact'] as const;
    fc.assert(
      fc.property(inputs, share, (one, by) => {
        const { score } = rankOf(one);
        assert.ok(rankOf({ ...one, meters: one.meters * by }).score >= score);
        assert.ok(
          rankOf({ ...one, popularityShare: one.popularityShare + (1 - one.popularityShare) * by }).score >= score,
        );
        const better = classes[Math.min(classes.length - 1, classes.indexOf(one.textClass) + 1)] ?? null;
        assert.ok(rankOf({ ...one, textClass: better }).score >= score);
        assert.ok(rankOf({ ...one, isPermanentlyClosed: true }).score <= score);
      }),
    );
  });

  it('caps popularity, and trusts few ratings little', () => {
    assert.deepEqual([0, -1, 10_000_000, 1e12].map(popularityShare), [0, 0, 1, 1]);
    assert.ok(ratingShare({ average: 5, count: 1 }) < ratingShare({ average: 4.5, count: 200 }));
    assert.equal(ratingShare(null), ratingShare({ average: 3.5, count: 50 }));
  });

  it('breaks ties by distance, then by id', () => {
    const ranked = [
      { score: 1, meters: 5, entityId: 'b' },
      { score: 1, meters: 5, entityId: 'a' },
      { score: 2, meters: 9, entityId: 'c' },
      { score: 1, meters: 4, entityId: 'd' },
    ];
    assert.deepEqual(
      ranked.sort(compareRanked).map(({ entityId }) => entityId),
      ['c', 'd', 'a', 'b'],
    );
  });
});
