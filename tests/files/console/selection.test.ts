/** What the pages of files compute for selections, orders and names that are taken. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { sortOf } from '../../../read-api/web/components/column-sort';
import { rangeOf } from '../../../read-api/web/files/selection/range';
import { freeName, stemOf } from '../../../read-api/web/files/upload/free-name';

describe('a selected range', () => {
  it('has both ends and what is between them, whichever was chosen first', () => {
    const visible = ['a', 'b', 'c', 'd'];
    assert.deepEqual(rangeOf(visible, 'b', 'd'), ['b', 'c', 'd']);
    assert.deepEqual(rangeOf(visible, 'd', 'b'), ['b', 'c', 'd']);
    assert.deepEqual(rangeOf(visible, 'b', 'b'), ['b']);
  });

  it('is one row where the first is not visible any more, or there was none', () => {
    assert.deepEqual(rangeOf(['a', 'b'], 'gone', 'b'), ['b']);
    assert.deepEqual(rangeOf(['a', 'b'], undefined, 'b'), ['b']);
  });
});

describe('the order of files', () => {
  const pressed = (sort: string, direction: string, by: 'name' | 'changed') => {
    const wanted: string[] = [];
    const column = sortOf(
      { sort, direction, onSort: (...order) => wanted.push(...order) },
      by,
      by === 'name' ? 'asc' : 'desc',
    );
    column.onSort();
    return { now: column.direction, wanted };
  };

  it('begins with A, or with the newest, and turns round when it is pressed again', () => {
    assert.deepEqual(pressed('', '', 'name'), { now: undefined, wanted: ['name', 'asc'] });
    assert.deepEqual(pressed('name', 'asc', 'name'), { now: 'ascending', wanted: ['name', 'desc'] });
    assert.deepEqual(pressed('name', 'desc', 'name'), { now: 'descending', wanted: ['name', 'asc'] });
    assert.deepEqual(pressed('name', 'asc', 'changed'), { now: undefined, wanted: ['changed', 'desc'] });
    assert.deepEqual(pressed('changed', '', 'changed'), { now: 'descending', wanted: ['changed', 'asc'] });
  });
});

describe('the name of a file that is kept beside another one', () => {
  it('has the first number that is free before its ending', () => {
    assert.equal(freeName('Lease.pdf', new Set(['Lease.pdf'])), 'Lease (2).pdf');
    assert.equal(freeName('Lease.pdf', new Set(['Lease.pdf', 'Lease (2).pdf'])), 'Lease (3).pdf');
    assert.equal(freeName('Lease (2).pdf', new Set(['Lease (2).pdf'])), 'Lease (3).pdf');
    assert.equal(freeName('README', new Set(['README'])), 'README (2)');
    assert.equal(freeName('.env', new Set(['.env'])), '.env (2)');
    assert.equal(freeName('a.tar.gz', new Set(['a.tar.gz'])), 'a.tar (2).gz');
  });

  it('is free, and found by what all such names begin with', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9 .()]{1,12}$/);
    fc.assert(
      fc.property(name, fc.nat({ max: 8 }), (wanted, count) => {
        const taken = new Set([wanted]);
        for (let number = 0; number < count; number += 1) taken.add(freeName(wanted, taken));
        const free = freeName(wanted, taken);
        assert.ok(!taken.has(free));
        for (const one of [...taken, free]) assert.ok(one.includes(stemOf(wanted)), one);
      }),
    );
  });
});
