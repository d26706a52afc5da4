/** How the console words the age of a time. */
import assert from 'node:assert/strict';
import { relativeTimeOf } from '../../../read-api/web/kernel/format';
import { clockDifference } from '../../../read-api/web/kernel/server-clock';

const at = Date.parse('2026-11-24T12:00:00.000Z');
const relativeTo = (seconds: number): string => relativeTimeOf(new Date(at + seconds * 1_000).toISOString(), at);

describe('relative times of the console', () => {
  it('say that what was just recorded is past, also where clocks differ a little', () => {
    for (const seconds of [-40, -1, 0, 1, 4]) assert.equal(relativeTo(seconds), 'just now');
  });

  it('say that what expires soon is ahead', () => {
    assert.equal(relativeTo(20), 'in a moment');
    assert.equal(relativeTo(120), 'in 2 minutes');
    assert.equal(relativeTo(-120), '2 minutes ago');
  });

  it('are rounded to the nearest', () => {
    assert.equal(relativeTo(299), 'in 5 minutes');
    assert.equal(relativeTo(7 * 86_400 - 30), 'in 7 days');
    assert.equal(relativeTo(-95), '2 minutes ago');
    assert.equal(relativeTo(3_590), 'in 1 hour');
    assert.equal(relativeTo(-86_000), '1 day ago');
  });

  it('are by the clock of the server', () => {
    const ahead = clockDifference('Tue, 24 Nov 2026 12:03:00 GMT', at);
    assert.equal(relativeTimeOf('2026-11-24T12:02:59.000Z', at + ahead), 'just now');
    const behind = clockDifference('Tue, 24 Nov 2026 11:57:00 GMT', at);
    assert.equal(relativeTimeOf('2026-11-24T11:57:30.000Z', at + behind), 'in a moment');
  });

  it('ignore differences below the precision of the header, and what is no date', () => {
    assert.equal(clockDifference('Tue, 24 Nov 2026 12:00:01 GMT', at), 0);
    assert.equal(clockDifference(null, at), 0);
    assert.equal(clockDifference('yesterday', at), 0);
  });
});
