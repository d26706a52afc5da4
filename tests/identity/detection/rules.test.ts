import assert from 'node:assert/strict';
import { addressPrefixOf } from '../../../domain/identity/detection/address-prefix';
import { createDetector, type Finding, type TenantDetection } from '../../../domain/identity/detection/detector';
import { type DetectionRuleName, defaultSettings } from '../../../domain/identity/detection/rule-names';
import type { AuthEvent } from '../../../domain/identity/protocol/auth-event';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { decisionAt, denialAt } from './decisions';

const byDefault: TenantDetection = { settings: defaultSettings, runtimes: [] };
const times = <A>(count: number, make: (index: number) => A): readonly A[] =>
  Array.from({ length: count }, (_, index) => make(index));

const findings = (events: readonly AuthEvent[], detection = byDefault): readonly Finding[] => {
  const detector = createDetector();
  return events.flatMap((event) => detector.observe(event, detection));
};
const found = (
  events: readonly AuthEvent[],
  detection = byDefault,
): readonly (readonly [DetectionRuleName, string])[] =>
  findings(events, detection).map(({ rule, severity }) => [rule, severity]);

describe('detection', () => {
  it('says nothing of ordinary use', () =>
    assert.deepEqual(
      found(times(200, (index) => decisionAt(index * 2, { jti: `token-${Math.floor(index / 50)}` }))),
      [],
    ));

  const agent = { principalType: 'AI_AGENT' };
  const pipeline = { principalType: 'PIPELINE' };
  const cases: readonly (readonly [DetectionRuleName, string, readonly AuthEvent[], readonly AuthEvent[]])[] = [
    [
      'sender-binding-mismatch',
      'SEV-3',
      times(3, (index) => denialAt(index, 'sender_mismatch')),
      times(2, (index) => denialAt(index, 'invalid_proof')),
    ],
    [
      'sender-binding-mismatch',
      'SEV-2',
      times(3, (index) => denialAt(index, 'invalid_proof', pipeline)),
      times(3, (index) => denialAt(index * 600, 'invalid_proof', pipeline)),
    ],
    [
      'token-replay',
      'SEV-2',
      times(3, (index) => decisionAt(index, { ...pipeline, sourceIp: `203.0.${index}.1` })),
      times(3, (index) => decisionAt(index, { ...pipeline, sourceIp: `203.0.0.${index}` })),
    ],
    [
      'tool-outside-allowlist',
      'SEV-3',
      times(3, (index) => denialAt(index, 'wrong_audience', agent)),
      times(3, (index) => denialAt(index, 'wrong_audience')),
    ],
    [
      'approval-bypass',
      'SEV-2',
      times(3, (index) => denialAt(index, 'step_up_required', agent)),
      times(2, (index) => denialAt(index, 'capability_used', agent)),
    ],
    [
      'scope-escalation',
      'SEV-3',
      times(5, (index) => denialAt(index, 'insufficient_scope')),
      times(4, (index) => denialAt(index, 'insufficient_scope')),
    ],
    [
      'call-after-task-end',
      'SEV-3',
      times(3, (index) => denialAt(index, 'token_expired', agent)),
      times(3, (index) => denialAt(index, 'token_expired', pipeline)),
    ],
    [
      'repeated-denial',
      'SEV-3',
      times(20, (index) => denialAt(index, 'token_expired')),
      times(20, (index) => denialAt(index * 60, 'token_expired')),
    ],
    [
      'large-scale-replay',
      'SEV-1',
      times(10, (index) => denialAt(index, 'sender_mismatch', { principalId: `p-${index}` })),
      times(9, (index) => denialAt(index, 'sender_mismatch', { principalId: `p-${index}` })),
    ],
    [
      'cross-tenant',
      'SEV-1',
      [decisionAt(0), decisionAt(1, { tenantId: 'other' })],
      [decisionAt(0), decisionAt(1, { tenantId: 'other', jti: 'token-2' })],
    ],
    [
      'new-address',
      'SEV-3',
      [decisionAt(0), decisionAt(9, { sourceIp: '198.51.100.1', jti: 'token-2' })],
      [decisionAt(0), decisionAt(9, { sourceIp: '192.0.2.200', jti: 'token-2' })],
    ],
    ['rate-anomaly', 'SEV-3', times(600, (index) => decisionAt(index / 20)), times(600, (index) => decisionAt(index))],
  ];
  for (const [rule, severity, events, fewer] of cases)
    it(`finds ${rule} as ${severity}, and no less`, () => {
      const alarm = (all: readonly AuthEvent[]) => found(all).filter(([name]) => name === rule);
      assert.deepEqual(alarm(events), [[rule, severity]]);
      assert.deepEqual(alarm(fewer), []);
    });

  it('finds impossible travel of a token that can change things, and none between the two families of one client', () => {
    const travel = (...addresses: readonly string[]) =>
      times(6, (index) => decisionAt(index * 20, { sourceIp: addresses[index % 2] ?? '', scopes: ['clients:write'] }));
    const isTravel = ([rule]: readonly [string, string]) => rule === 'impossible-travel';
    assert.deepEqual(found(travel('192.0.2.1', '198.51.100.1')).filter(isTravel), [['impossible-travel', 'SEV-2']]);
    assert.deepEqual(found(travel('192.0.2.1', '2001:db8::1')).filter(isTravel), []);
  });

  it('finds a pipeline where it is not expected', () => {
    const runtimes = [{ principalId: 'p-1' as PrincipalId, workloads: ['repo:octo-org/octo-repo'], clusters: [] }];
    const at = (workloadId: string) => found([decisionAt(0, { ...pipeline, workloadId })], { ...byDefault, runtimes });
    assert.deepEqual(at('repo:octo-org/octo-repo:ref:refs/heads/main'), []);
    assert.deepEqual(at('repo:octo-org/octo-repository:ref:refs/heads/main'), [['unexpected-runtime', 'SEV-2']]);
    assert.deepEqual(found([decisionAt(0, pipeline)], { ...byDefault, runtimes }), [['unexpected-runtime', 'SEV-2']]);
  });

  it('is of one tenant: settings turn a rule off and move its threshold', () => {
    const set = (changes: object) => ({
      ...byDefault,
      settings: { ...defaultSettings, 'scope-escalation': { ...defaultSettings['scope-escalation'], ...changes } },
    });
    const denials = times(5, (index) => denialAt(index, 'insufficient_scope'));
    assert.deepEqual(found(denials, set({ isOn: false })), []);
    assert.deepEqual(found(denials, set({ threshold: 6 })), []);
    assert.deepEqual(found(denials.slice(0, 2), set({ threshold: 2 })), [['scope-escalation', 'SEV-3']]);
  });

  it('is one alert for an episode, and another for the next', () => {
    const alerts = (seconds: number) =>
      findings(times(seconds / 10, (index) => denialAt(index * 10, 'insufficient_scope'))).filter(
        ({ rule }) => rule === 'scope-escalation',
      ).length;
    assert.deepEqual([alerts(3_600), alerts(7_000)], [1, 2]);
  });

  it('counts a decision that is delivered again once', () => {
    const denials = times(3, (index) => denialAt(index, 'insufficient_scope'));
    assert.deepEqual(found([...denials, ...denials, ...denials]), []);
  });

  it('says nothing of callers without a valid token', () =>
    assert.deepEqual(
      found(times(100, (index) => denialAt(index, 'invalid_token', { tenantId: null, principalId: null, jti: null }))),
      [],
    ));

  it('goes on from its snapshot', () => {
    const denials = times(5, (index) => denialAt(index, 'insufficient_scope'));
    const [first, second] = [createDetector(), createDetector()];
    for (const event of denials.slice(0, 4)) assert.deepEqual(first.observe(event, byDefault), []);
    second.restore(JSON.parse(JSON.stringify(first.snapshot())));
    const [finding] = second.observe(denials[4] as AuthEvent, byDefault);
    assert.equal(finding?.rule, 'scope-escalation');
    // The episode lasts over a restart, too.
    const third = createDetector();
    third.restore(JSON.parse(JSON.stringify(second.snapshot())));
    assert.deepEqual(third.observe(denialAt(9, 'insufficient_scope'), byDefault), []);
    assert.deepEqual(third.observe(denials[0] as AuthEvent, byDefault), []);
  });

  it('takes networks for places', () => {
    assert.deepEqual(['192.0.2.77', '2001:0db8:0001:2::3', '2001:db8::', '::1', 'none'].map(addressPrefixOf), [
      '192.0.2.0/24',
      '2001:db8:1::/48',
      '2001:db8:0::/48',
      '0:0:0::/48',
      undefined,
    ]);
  });
});

/** A million with DETECTION_KEYS=1000000. */
const hostileKeys = Number(process.env.DETECTION_KEYS ?? 100_000);

describe('the memory of detection', () => {
  it('is bounded under hostile keys, which push out no state of another tenant', function () {
    this.timeout(120_000);
    const most = 2_000;
    const detector = createDetector(most);
    const quiet = times(4, (index) => denialAt(index, 'insufficient_scope', { tenantId: 'quiet' }));
    for (const event of quiet) detector.observe(event, byDefault);
    const used = () => process.memoryUsage().heapUsed;
    const one = denialAt(10, 'insufficient_scope', { tenantId: 'hostile' });
    const hostile = (index: number) => ({
      ...one,
      principalId: `p-${index}`,
      jti: `token-${index}`,
      eventId: `e-${index}`,
    });
    for (let index = 0; index < hostileKeys / 10; index += 1) detector.observe(hostile(index), byDefault);
    const [size, before] = [detector.size(), used()];
    for (let index = hostileKeys / 10; index < hostileKeys; index += 1) detector.observe(hostile(index), byDefault);
    const grown = used() - before;
    assert.equal(detector.size(), size);
    assert.ok(size <= 13 * most, `${size} states`);
    assert.ok(grown < 90_000_000, `${grown} bytes`);
    const [finding] = detector.observe(denialAt(120, 'insufficient_scope', { tenantId: 'quiet' }), byDefault);
    assert.equal(finding?.rule, 'scope-escalation');
  });
});
