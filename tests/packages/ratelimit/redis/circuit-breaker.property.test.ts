import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type BreakerPermit, createCircuitBreaker } from '../../../../packages/ratelimit/src/redis/circuit-breaker';
import { options } from './breaker-options';

describe('the breaker before a store', () => {
  it('whatever comes: asks nothing while open, one thing at a time while half open, and closes only after measured recovery', () => {
    const events = fc.record({
      step: fc.integer({ min: 0, max: 150 }),
      does: fc.constantFrom('admit', 'answer', 'slow', 'fail', 'reconnect'),
      which: fc.nat(5),
    });
    fc.assert(
      fc.property(fc.array(events, { maxLength: 200 }), (all) => {
        const breaker = createCircuitBreaker(options);
        let [now, good, opensUntil] = [0, 0, 0];
        const out: BreakerPermit[] = [];
        const probes = new Set<BreakerPermit>();
        for (const { step, does, which } of all) {
          now += step;
          const before = breaker.metrics();
          const ticket = out[which % Math.max(1, out.length)];
          if (does === 'admit') {
            const given = breaker.admit(now);
            const { state } = breaker.metrics();
            if (before.state === 'open' && given !== undefined) assert.ok(now >= opensUntil);
            if (before.state === 'closed') assert.ok(given !== undefined);
            if (before.state === 'open' && state === 'half-open') probes.clear();
            if (state === 'half-open' && given !== undefined) {
              assert.equal(probes.size, 0, 'two probes at once');
              probes.add(given);
            }
            if (given !== undefined) out.push(given);
          } else if (does === 'reconnect') {
            breaker.reconnected();
            if (before.state === 'open') {
              probes.clear();
              opensUntil = now;
              good = 0;
            }
          } else if (ticket !== undefined) {
            out.splice(out.indexOf(ticket), 1);
            const isProbe = probes.has(ticket) && before.state === 'half-open';
            if (does === 'fail') breaker.failed(ticket, 'AWAY', now);
            else breaker.answered(ticket, does === 'slow' ? 11 : 10, now);
            if (isProbe) {
              probes.delete(ticket);
              good = does === 'answer' ? good + 1 : 0;
            }
          }
          const after = breaker.metrics();
          if (after.opened > before.opened) [opensUntil, good] = [now + options.openMilliseconds, 0];
          if (before.state === 'half-open' && after.state === 'closed') {
            assert.equal(good, options.goodProbes);
            good = 0;
          }
          assert.notEqual(`${before.state}>${after.state}`, 'open>closed');
        }
      }),
      { numRuns: 500 },
    );
  });
});
