import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compileFilter } from '../../../read-api/kernel/streams/stream-definition';
import type { StreamEvent } from '../../../read-api/kernel/streams/stream-event';
import { isOfType } from '../../../read-api/platform/event-log/event-type-filter';

const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,12}$/);

describe('types of events as callers name them', () => {
  it('are the stored type, or leave out context, version or both', () => {
    fc.assert(
      fc.property(word, word, fc.nat(99), (context, name, version) => {
        const stored = `${context}.${name}.v${version}`;
        for (const wanted of [stored, `${context}.${name}`, `${name}.v${version}`, name])
          assert.ok(isOfType(stored, wanted), wanted);
        for (const wanted of [`${name}x`, `x${name}`, `.${name}`, `${name}.`, `${stored}1`, `other${context}.${name}`])
          assert.ok(!isOfType(stored, wanted), wanted);
      }),
    );
  });

  it('are only themselves where they are not named as ours are', () => {
    fc.assert(fc.property(fc.string(), (type) => assert.ok(isOfType(type, type))));
    assert.ok(!isOfType('$metadata', 'metadata'));
    assert.ok(!isOfType('imported', 'import'));
  });

  it('filter a stream where it says so, and equality decides elsewhere', () => {
    const { wanted } = compileFilter(
      { key: undefined, matches: { type: isOfType } },
      { type: 'TokenIssued', context: 'identity' },
    );
    const of = (body: object) => wanted({ body } as StreamEvent);
    assert.ok(of({ type: 'identity.TokenIssued.v1', context: 'identity' }));
    assert.ok(!of({ type: 'identity.TokenIssued.v1', context: 'identity.x' }));
    assert.ok(!of({ type: 'identity.TokenIssuedTwice.v1', context: 'identity' }));
    assert.ok(!of({ context: 'identity' }));
  });
});
