import assert from 'node:assert/strict';
import {
  type BreakerPermit,
  type CircuitBreaker,
  createCircuitBreaker,
} from '../../../../packages/ratelimit/src/redis/circuit-breaker';
import { options } from './breaker-options';

const ticketOf = (breaker: CircuitBreaker, now: number): BreakerPermit => {
  const ticket = breaker.admit(now);
  assert.ok(ticket !== undefined, `nothing is let through at ${now}`);
  return ticket;
};

/** Opened by faults at that time. */
const opened = (now: number): CircuitBreaker => {
  const breaker = createCircuitBreaker(options);
  for (let fault = 0; fault < options.faults; fault += 1) breaker.failed(ticketOf(breaker, now), 'AWAY', now);
  return breaker;
};

describe('the breaker before a store', () => {
  it('opens after so many faults in a row, and not when one of them was answered in between', () => {
    const breaker = createCircuitBreaker(options);
    for (const isAnswer of [false, false, true, false, false]) {
      const ticket = ticketOf(breaker, 0);
      if (isAnswer) breaker.answered(ticket, 1, 0);
      else breaker.failed(ticket, 'AWAY', 0);
    }
    assert.equal(breaker.metrics().state, 'closed');
    breaker.failed(ticketOf(breaker, 0), 'LOADING', 0);
    assert.deepEqual(breaker.metrics(), { state: 'open', opened: 1, reasons: ['LOADING'] });
    assert.equal(breaker.admit(99), undefined);
  });

  it('opens when more than its share of the last answers was slow', () => {
    const breaker = createCircuitBreaker(options);
    for (let at = 0; at < 10; at += 1) breaker.answered(ticketOf(breaker, 0), at % 2 === 0 ? 11 : 1, 0);
    assert.equal(breaker.metrics().state, 'closed', 'half of them is not more than half');
    breaker.answered(ticketOf(breaker, 0), 1, 0);
    breaker.answered(ticketOf(breaker, 0), 11, 0);
    for (let at = 0; at < 2; at += 1) breaker.answered(ticketOf(breaker, 0), 11, 0);
    assert.deepEqual(breaker.metrics(), { state: 'open', opened: 1, reasons: ['slow'] });
  });

  it('lets one probe through at a time, and closes after so many good ones in a row', () => {
    const breaker = opened(0);
    for (let probe = 0; probe < options.goodProbes; probe += 1) {
      assert.equal(breaker.metrics().state, probe === 0 ? 'open' : 'half-open');
      const ticket = ticketOf(breaker, 100);
      assert.equal(breaker.admit(100), undefined, 'a second one at once');
      breaker.answered(ticket, 10, 110);
    }
    assert.equal(breaker.metrics().state, 'closed');
  });

  it('opens again, for longer each time, when a probe fails or is slow', () => {
    const breaker = opened(0);
    let now = 0;
    for (const open of [100, 200, 400, 400]) {
      assert.equal(breaker.admit(now + open - 1), undefined);
      now += open;
      const ticket = ticketOf(breaker, now);
      if (open === 200) breaker.answered(ticket, 11, now);
      else breaker.failed(ticket, 'AWAY', now);
    }
    assert.equal(breaker.metrics().opened, 5);
  });

  it('probes at once when there is a new connection, and not when it is open no longer', () => {
    const breaker = opened(0);
    breaker.reconnected();
    ticketOf(breaker, 1);
    breaker.reconnected();
    assert.equal(breaker.admit(1), undefined, 'the probe is still on its way');
  });

  it('takes nothing from answers to what was asked before its last change', () => {
    const breaker = createCircuitBreaker(options);
    const [before, ...others] = Array.from({ length: 4 }, () => ticketOf(breaker, 0));
    for (const ticket of others) breaker.failed(ticket, 'AWAY', 0);
    breaker.answered(before as BreakerPermit, 1, 50);
    assert.equal(breaker.metrics().state, 'open');
    const probe = ticketOf(breaker, 100);
    breaker.failed(before as BreakerPermit, 'AWAY', 100);
    assert.equal(breaker.metrics().state, 'half-open');
    breaker.answered(probe, 1, 100);
  });
});
