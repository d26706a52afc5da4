/** Sentences of security events: long lists of scopes become a count. */
import assert from 'node:assert/strict';
import { summaryPartsOf } from '../../../read-api/web/identity/security-events/summary';

const scopes = ['clients:read', 'clients:write', 'keys:read', 'keys:write'];

describe('the sentence of a security event', () => {
  it('has its scopes apart when they are many', () =>
    assert.deepEqual(summaryPartsOf({ summary: `Scopes granted: ${scopes.join(', ')}.`, details: { scopes } }), {
      before: 'Scopes granted: ',
      scopes,
      after: '.',
    }));

  it('keeps the reason after the list', () => {
    const summary = `Scopes withdrawn (${scopes.join(', ')}): Moved to another team.`;
    assert.equal(summaryPartsOf({ summary, details: { scopes } }).after, '): Moved to another team.');
  });

  it('stays whole with few scopes, with none, and where the sentence names others', () => {
    for (const [summary, details] of [
      ['Scopes granted: keys:read.', { scopes: ['keys:read'] }],
      ['Signing key published.', { kid: 'k-1' }],
      ['Consent granted to main~shop.', { scopes }],
      ['Strange.', { scopes: [1, 2, 3] }],
    ] as const)
      assert.deepEqual(summaryPartsOf({ summary, details }), { before: summary, scopes: [], after: '' });
  });

  it('has the scopes apart, too, when the recorded sentence was cut within them', () => {
    const summary = `Credential issued with ${scopes.join(', ')}`.slice(0, -5);
    assert.deepEqual(summaryPartsOf({ summary, details: { scopes } }), {
      before: 'Credential issued with ',
      scopes,
      after: '',
    });
  });
});
