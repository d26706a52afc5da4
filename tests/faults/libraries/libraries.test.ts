/**
 * Libraries of other people sign a person in: by their defaults, then with the smallest settings that they need. The outcome is the table of
 * docs/applications.md.
 */
import assert from 'node:assert/strict';
import { isLeft } from 'fp-ts/Either';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { openTenant, type Person, type Tenant } from '../../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../../support/processes/running-system';
import { needs } from '../../support/runner/prerequisites';
import { skip } from '../../support/runner/skip';
import { fromRunner } from '../../support/servers/shared-servers';
import { openRuntime, type ProgramOf } from './installations';
import { type Library, libraries, type Runtime, type Settings, withoutPkce } from './libraries';
import { type Outcome, type Reported, signInWith } from './sign-in';
import { holdRows, rowOf, type Tried } from './table';

describe('libraries of other people', function () {
  // A package manager may have to fetch them first.
  this.timeout(300_000);
  needs('npm');
  const place = useTemporaryDirectory('libraries');
  const rows = new Map<string, string>();
  let system: System;
  let tenant: Tenant;
  let person: Person;
  let issuer: string;
  before(async () => {
    system = openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);
    tenant = await openTenant(system);
    person = await tenant.enrol('ada@example.org');
    const discovered = await fetch(`${system.url}/.well-known/openid-configuration`);
    issuer = ((await discovered.json()) as { readonly issuer: string }).issuer;
  });
  after(() => system.close());

  const tried = async (library: Library, programOf: ProgramOf): Promise<Tried> => {
    const tryWith = (settings: Settings): Promise<Outcome> =>
      signInWith({ tenant, person, issuer }, library, { settings, program: programOf(library) });
    const attempts: (readonly [Settings, Outcome])[] = [];
    for (const settings of library.attempts) {
      const outcome = await tryWith(settings);
      attempts.push([settings, outcome]);
      if ('reported' in outcome) break;
    }
    return { attempts, withoutPkce: attempts.length === 1 ? undefined : await tryWith(withoutPkce) };
  };

  const assertSignedIn = ({ idToken }: Library, reported: Reported): void => {
    if (idToken !== 'none') assert.equal(reported.idToken, person.principalId);
    if (reported.userinfo !== undefined) assert.equal(reported.userinfo, person.principalId);
    assert.ok(reported.idToken !== undefined || reported.userinfo !== undefined);
    assert.notEqual(reported.refreshed, false);
  };

  for (const runtime of ['node', 'python', 'java'] as const satisfies readonly Runtime[])
    describe(runtime, () => {
      let programOf: ProgramOf;
      before(async function () {
        const opened = await openRuntime(runtime, place);
        if (isLeft(opened)) return skip(this, opened.left);
        programOf = opened.right;
      });

      for (const library of libraries.filter((one) => one.runtime === runtime))
        it(`${library.name} signs in`, async () => {
          const outcomes = await tried(library, programOf);
          rows.set(library.name, rowOf(library, outcomes));
          const [, last] = outcomes.attempts.at(-1) ?? [];
          assert.ok(last !== undefined && 'reported' in last, JSON.stringify(outcomes, undefined, 2));
          assertSignedIn(library, last.reported);
        });
    });

  // After the others: a suite's own tests come before those of its inner ones.
  describe('together', () => {
    it('are written down as they were found', () => holdRows(rows));
  });
});
