import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type AuthenticatorEvent, authenticators } from '../../../domain/identity/authenticators/events';
import { principals } from '../../../domain/identity/principal/events';
import type { DomainEvent, Family } from '../../../domain/kernel/family';
import { forgotten } from '../../../domain/kernel/secret';
import type { StoredEvent } from '../../../infra/ports/event-store';
import { principalsProjection } from '../../../projections/identity/principals/project';
import { searchTerms } from '../../../projections/identity/principals/search-terms';
import { type PrincipalRow, queryTerms } from '../../../projections/identity/principals/view';
import { principalId, registered } from '../examples';
import { metadata } from '../read-api/fixture';
import { rowsAfter } from './rows';

const stored = <Event extends DomainEvent>(
  family: Family<Event>,
  { stream, event, index }: { readonly stream: string; readonly event: Event; readonly index: number },
): StoredEvent => ({
  id: `e-${index}`,
  stream: `identity.${stream}-acme.${principalId}`,
  revision: stream === 'principal' ? 0 : index - 1,
  position: BigInt(index),
  ...family.encode(event),
  metadata: metadata('acme'),
});

const afterEvents = async (...events: readonly AuthenticatorEvent[]): Promise<PrincipalRow> => {
  const first = stored(principals, { stream: 'principal', event: registered, index: 0 });
  const others = events.map((event, index) =>
    stored(authenticators, { stream: 'authenticators', event, index: index + 1 }),
  );
  const [row] = (await rowsAfter(principalsProjection, [[first, ...others]])) as unknown as PrincipalRow[];
  return row ?? assert.fail();
};

const profile = (fields: object = {}): AuthenticatorEvent => ({
  type: 'ProfileSet',
  data: { principalId, login: 'ada@example.org', displayName: 'Ada Lovelace', email: null, ...fields } as never,
});

const isFound = (query: string, { terms }: Pick<PrincipalRow, 'terms'>): boolean =>
  queryTerms(query).every((term) => terms.includes(term));

describe('names of principals', () => {
  it('are those of the profile, or the label; the revision stays that of the principal', async () => {
    const { login, name, revision } = await afterEvents(profile());
    assert.deepEqual([login, name, revision], ['ada@example.org', 'Ada Lovelace', 0]);
    const label = (value: string | null): AuthenticatorEvent => ({
      type: 'PrincipalLabelled',
      data: { principalId, label: value },
    });
    assert.equal((await afterEvents(label('Nightly build'))).name, 'Nightly build');
    const unlabelled = await afterEvents(label('Nightly build'), label(null));
    assert.deepEqual([unlabelled.name, isFound('nightly', unlabelled)], [null, false]);
  });

  it('leave no name and no term when the person is forgotten', async () => {
    const row = await afterEvents(profile({ login: forgotten, displayName: forgotten }));
    assert.deepEqual([row.login, row.name], [null, null]);
    assert.deepEqual(row.terms, searchTerms({ principalId, login: null, name: null }));
  });

  it('leave no term of a name that changed', async () => {
    const row = await afterEvents(profile(), profile({ displayName: 'Ada King' }));
    assert.deepEqual([isFound('lovelace', row), isFound('king', row)], [false, true]);
  });

  const person = {
    principalId: '7d9f1c9e-2f0a-5b4e-8a51-0f1e2d3c4b5a',
    login: 'zoë.müller@example.org',
    name: 'Zoë Müller-Straße',
  };
  const terms = { terms: searchTerms(person) };
  it('are found without the letters of one language', () =>
    assert.ok(isFound('lukasz soren', { terms: searchTerms({ ...person, name: 'Łukasz Søren' }) })));
  for (const query of [
    'zo',
    'ZOE',
    'mull',
    'Müller',
    'strasse',
    'mul zo',
    'zoe.muller@example.org',
    'Ｚｏｅ',
    '7d9f',
    person.principalId,
  ])
    it(`are found by ${query}`, () => assert.ok(isFound(query, terms)));
  for (const query of ['z', 'oe', 'zoe smith', '7d9', 'ller'])
    it(`are not found by ${query}`, () => assert.ok(!isFound(query, terms)));

  it('are found by any beginning of any of their words, however it is written', () => {
    const letter = fc.constantFrom(...'abzAZ09äÅçéßøñłŚžþđİıαβΔσςЖщїבג中文한글あアｱＡﬁ');
    const words = fc.array(fc.string({ unit: letter, minLength: 2, maxLength: 24 }), { minLength: 1, maxLength: 6 });
    const forms = fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD');
    fc.assert(
      fc.property(words, fc.nat(), fc.nat(), forms, (all, which, length, form) => {
        const terms = searchTerms({ principalId, login: null, name: all.join(' ') });
        const word = all[which % all.length] ?? '';
        const beginning = [...word].slice(0, 2 + (length % 22)).join('');
        return isFound(beginning.normalize(form), { terms });
      }),
    );
  });

  it('make a bounded number of terms', () => {
    const row = searchTerms({ principalId, login: 'a '.repeat(100), name: 'wörter '.repeat(17) });
    assert.ok(searchTerms({ principalId, login: 'abcdefghijklmnopqrstuvwxyz'.repeat(7), name: null }).length < 40);
    assert.ok(row.length < 40 && row.every((term) => term.length <= 64));
  });
});
