import assert from 'node:assert/strict';
import { severityOf } from '../../../projections/identity/security-events/severities';
import { securityEventOf, securityEventsView } from '../../../projections/identity/security-events/view';
import { historyOf, type Line } from '../../support/domain/event-history';

const lines = historyOf('identity');

const metadata = { $correlationId: 'c', $causationId: 'c', commandId: 'k', commandHash: 'h', actor: 'p-admin' };
const at = '2026-01-31T12:00:00.000Z';

/** An event's type does not name its aggregate: the one whose family decodes it is found here. */
const aggregates = [
  ...[
    'principal',
    'issuance',
    'session',
    'grant',
    'refreshFamily',
    'consent',
    'authenticators',
    'signInPolicy',
    'credentialPolicy',
    'registrationPolicy',
    'workloadTrust',
    'protectedApis',
    'accessPolicy',
    'delegation',
    'approval',
    'alert',
    'detectionPolicy',
  ],
  ...['client', 'denials', 'tenantSecurity', 'code', 'device', 'incident', 'signingKeys', 'tenant'],
];
const rowsOf = ({ type, data }: Line) =>
  aggregates.flatMap((aggregate) => {
    const place = { stream: `identity.${aggregate}-acme.x`, revision: 3, position: 400n };
    const row = securityEventOf({ ...place, id: 'e-1', type, data, metadata: { ...metadata, tenant: 'acme', at } });
    return row === undefined ? [] : [row];
  });

/** Events without a row: another event of the same moment has one, or no principal is known yet. */
const silent = [
  ...['RefreshRotated', 'PasskeyUsed', 'CodeIssued', 'CodeRedeemed', 'ConsentUsed', 'RequestPushed', 'RequestUsed'],
  ...['RequestOpened', 'RequestRefused', 'CapabilityIssued'],
  ...['DeviceRequested', 'DeviceApproved', 'DeviceDenied', 'DeviceRedeemed', 'IdentifierClaimed', 'IdentifierReleased'],
  ...['ApprovalCounted', 'ApprovalUncounted', 'AudienceClaimed', 'DelegationCounted', 'DelegationUncounted'],
  // Of a process.
  ...['SessionFollowed', 'SessionFollowedNoMore', 'SessionsVoided'],
];
const isSilent = ({ type }: Line): boolean => silent.some((name) => type.startsWith(`identity.${name}.`));

/** Hashes, seeds, keys, and what is personal: never in the row, whatever the event has. */
const hidden = /hash|seed|secret|sealed|password|jwks|publicKey|sourceIp|device$|login|displayName|email/i;
const valuesOf = ({ data }: Line): readonly string[] =>
  Object.entries(data).flatMap(([name, value]) => (hidden.test(name) && typeof value === 'string' ? [value] : []));

describe('security events of every event ever written', () => {
  for (const line of lines.filter((one) => !isSilent(one)))
    it(`tell what ${line.type} means, in words, and nothing that is hidden`, () => {
      const [row, ...others] = rowsOf(line);
      assert.ok(row !== undefined && others.length === 0);
      assert.ok(securityEventsView.row.is(row));
      assert.match(row.summary, /^[A-Z].{7,}/);
      const text = JSON.stringify(row);
      for (const value of valuesOf(line)) assert.ok(!text.includes(value), value);
    });

  it('leave out what another event of the same moment tells', () => {
    for (const line of lines.filter(isSilent)) assert.deepEqual(rowsOf(line), [], line.type);
  });

  it('have an entry in the table of severities', () => {
    for (const line of lines.filter((one) => !isSilent(one))) {
      const [row] = rowsOf(line);
      assert.notEqual(severityOf({ type: row?.type ?? '', data: line.data }), undefined, line.type);
    }
  });

  it('alarm where an administrator weakens something', () => {
    const severities = (type: string) =>
      lines.filter((line) => line.type === `identity.${type}.v1`).map((line) => rowsOf(line)[0]?.severity);
    for (const type of ['SignInPolicyLoosened', 'RegistrationPolicyLoosened', 'ClientLoosened', 'TrustRuleLoosened'])
      assert.deepEqual(severities(type), ['SEV-2'], type);
    assert.deepEqual(severities('SignInPolicySet'), [null]);
  });
});
