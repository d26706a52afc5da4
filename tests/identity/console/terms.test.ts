/** Principals and actors are called by one name everywhere. */
import assert from 'node:assert/strict';
import { principalTypeNames } from '../../../domain/identity/ids';
import { withClientName } from '../../../read-api/web/identity/security-events/summary';
import { nameOfSystemActor } from '../../../read-api/web/references/actor-names';
import { principalTypeNames as titleNames } from '../../../read-api/web/references/principal-type-names';

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

describe('terms of the console', () => {
  it('name principal types as the recorded sentences do', () =>
    assert.deepEqual(
      titleNames,
      Object.fromEntries(Object.entries(principalTypeNames).map(([type, name]) => [type, capitalized(name)])),
    ));

  for (const [actor, name] of [
    ['system:first-sign-in', 'First sign-in'],
    ['system:work.geo-imports', 'Work queue geo imports'],
    ['system:something-new', 'System: something new'],
    ['process:end-sessions', 'Process end-sessions'],
    ['break-glass:root', 'Break-glass by root'],
    ['admin', undefined],
    ['main~console', undefined],
    ['runner:r-1', undefined],
  ] as const)
    it(`name the actor ${actor}`, () => assert.equal(nameOfSystemActor(actor), name));

  it('name the client of a recorded sentence, as it is called now', () => {
    const event = { clientId: 'main~console', summary: 'Access granted to main~console with openid.' };
    assert.equal(
      withClientName(event, 'Septet $& console').summary,
      'Access granted to Septet $& console with openid.',
    );
    assert.equal(withClientName(event, undefined), event);
  });
});
