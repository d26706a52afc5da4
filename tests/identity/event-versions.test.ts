import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { authenticators } from '../../domain/identity/authenticators/events';
import { codes } from '../../domain/identity/authorization-code/events';
import { clients } from '../../domain/identity/client/events';
import { consents } from '../../domain/identity/consent/events';
import { credentialPolicies } from '../../domain/identity/credential-policy/events';
import { denials } from '../../domain/identity/denylist/events';
import { deviceRequests } from '../../domain/identity/device-authorization/events';
import { followedSessions } from '../../domain/identity/end-sessions-on-security-epoch-bumped/events';
import { grants } from '../../domain/identity/grant/events';
import { claims } from '../../domain/identity/identifier-claim/events';
import { incidents } from '../../domain/identity/incident/events';
import { issuance } from '../../domain/identity/issuance/events';
import { principals } from '../../domain/identity/principal/events';
import { pushedRequests } from '../../domain/identity/pushed-request/events';
import { refreshFamilies } from '../../domain/identity/refresh-family/events';
import { registrationPolicies } from '../../domain/identity/registration-policy/events';
import { sessions } from '../../domain/identity/session/events';
import { signInPolicies } from '../../domain/identity/sign-in-policy/events';
import { signingKeys } from '../../domain/identity/signing-keys/events';
import { tenants } from '../../domain/identity/tenant/events';
import { tenantSecurity } from '../../domain/identity/tenant-security/events';
import type { DomainEvent, Family } from '../../domain/kernel/family';
import { historyOf, type Line } from '../support/domain/event-history';

const lines = historyOf('identity');

const decodes = (family: Pick<Family<DomainEvent>, 'decode'>, { type, data }: Line): boolean =>
  isRight(family.decode(type, data));

const families = [
  authenticators,
  claims,
  signInPolicies,
  credentialPolicies,
  registrationPolicies,
  denials,
  tenantSecurity,
  codes,
  pushedRequests,
  deviceRequests,
  consents,
  principals,
  issuance,
  clients,
  sessions,
  followedSessions,
  grants,
  refreshFamilies,
  signingKeys,
  incidents,
  tenants,
];

describe('identity events of every version ever written', () => {
  for (const family of families)
    for (const storedType of family.storedTypes) {
      const recorded = lines.filter(({ type }) => type === storedType);
      it(`has ${storedType} on record`, () => assert.ok(recorded.length > 0));
      it(`decodes ${storedType}`, () => {
        for (const line of recorded) assert.ok(decodes(family, line));
      });
    }

  it('belongs to a family, line by line', () => {
    const known = families.flatMap(({ storedTypes }) => storedTypes);
    assert.deepEqual(
      lines.map(({ type }) => type).filter((type) => !known.includes(type)),
      [],
    );
  });

  it('names no token and no secret', () => {
    const fields = lines.flatMap(({ data }) => Object.keys(data as object));
    // How tokens are made, not what is in them.
    const settings = ['idTokenAlgorithm', 'idTokenClaims', 'personClaimsInIdToken'];
    assert.deepEqual(
      fields.filter((field) => /token|secret(?!Hash)/i.test(field) && !settings.includes(field)),
      [],
    );
  });

  it('declares the address of a person as personal', () =>
    assert.deepEqual(issuance.secrets.TokenIssued, ['sourceIp']));
});
