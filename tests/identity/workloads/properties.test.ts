import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import type { TrustRuleId, WorkloadIssuerId } from '../../../domain/identity/ids';
import { attributesOf } from '../../../domain/identity/workload-trust/attributes';
import { type WorkloadTrustCommand, workloadTrust } from '../../../domain/identity/workload-trust/decider';
import { WorkloadIssuerKind, workloadTrusts } from '../../../domain/identity/workload-trust/events';
import {
  examineRule,
  findAnsweringRule,
  isAnswer,
  isConditionMet,
} from '../../../domain/identity/workload-trust/matching';
import { fold } from '../../../domain/kernel/decider';
import { eventsOf, historiesOf, survivesJson, twiceIsOnce } from '../../support/domain/arbitrary';
import { noon, scope } from '../examples';
import { below, exactly, github, rule } from './examples';

const issuerId = fc.constantFrom('i-1', 'i-2').map((id) => id as WorkloadIssuerId);
const ruleId = fc.constantFrom('r-1', 'r-2', 'r-3').map((id) => id as TrustRuleId);
const reads = scope('principals:read');
const writes = scope('principals:write');
const held = fc.subarray([reads, writes]);
const issuer = fc
  .record({ name: fc.constantFrom('A', 'B'), issuer: fc.constantFrom('https://a.example', 'https://b.example') })
  .map((fields) => ({ ...github, ...fields }));
const trustRule = fc
  .record({
    name: fc.constantFrom('A', 'B'),
    issuerId,
    scopes: fc.subarray([reads, writes], { minLength: 1 }),
    conditions: fc.constantFrom(
      [exactly('repository', 'octo/app')],
      [below('owner', 'octo'), exactly('branch', 'main')],
    ),
  })
  .map((fields) => ({ ...rule, ...fields }));
const of = <const Type extends string>(type: Type) => fc.constant(type);
const knownAudiences = fc.constant(['septet']);
const allowsPlainHttp = fc.constant(false);

const commands: fc.Arbitrary<WorkloadTrustCommand> = fc.oneof(
  fc.record({ type: of('TrustIssuer'), issuerId, issuer, allowsPlainHttp, at: fc.constant(noon) }),
  fc.record({ type: of('ChangeIssuer'), issuerId, issuer, allowsPlainHttp, held }),
  fc.record({ type: of('EndIssuer'), issuerId, reason: fc.constant('Over.') }),
  fc.record({ type: of('MakeRule'), ruleId, rule: trustRule, held, knownAudiences, at: fc.constant(noon) }),
  fc.record({ type: of('ChangeRule'), ruleId, rule: trustRule, held, knownAudiences }),
  fc.record({ type: of('EndRule'), ruleId, reason: fc.constant('Over.') }),
);

const segment = fc.constantFrom('octo', 'octopus', 'Octo', 'app', 'app2', 'main', '..', '');
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'));

describe('trust in workloads, whatever happens', () => {
  it('survives JSON', () => survivesJson(workloadTrusts));
  it('does nothing for a repeated command', () => twiceIsOnce(workloadTrust, commands));
  it('accepts every recorded fact in any order', () =>
    fc.assert(
      fc.property(fc.array(eventsOf(workloadTrusts)), (events) => {
        const { issuers, rules } = fold(workloadTrust, workloadTrust.initial, events);
        assert.ok(issuers.size >= 0 && rules.size >= 0);
      }),
    ));
  it('has no rule without its issuer', () =>
    fc.assert(
      fc.property(historiesOf(workloadTrust, commands), (history) => {
        const { issuers, rules } = fold(workloadTrust, workloadTrust.initial, history);
        for (const each of rules.values()) assert.ok(issuers.has(each.issuerId));
      }),
    ));
  it('gives nobody the means to give what they lack', () =>
    fc.assert(
      fc.property(historiesOf(workloadTrust, commands), commands, (history, command) => {
        const state = fold(workloadTrust, workloadTrust.initial, history);
        const decided = workloadTrust.decide(command, state);
        if (isLeft(decided) || decided.right.length === 0 || !('held' in command)) return;
        const given =
          command.type === 'ChangeIssuer'
            ? [...state.rules.values()]
                .filter((each) => each.issuerId === command.issuerId)
                .flatMap(({ scopes }) => scopes)
            : [
                ...command.rule.scopes,
                ...(command.type === 'ChangeRule' ? (state.rules.get(command.ruleId)?.scopes ?? []) : []),
              ];
        for (const one of given) assert.ok(command.held.includes(one));
      }),
    ));

  it('matches paths by whole segments alone', () =>
    fc.assert(
      fc.property(path, path, (actual, prefix) => {
        const isMet = isConditionMet(below('repository', prefix), { repository: actual });
        const segments = actual.split('/');
        const isClean = segments.every((one) => one !== '' && one !== '..');
        assert.equal(isMet, isClean && (actual === prefix || actual.startsWith(`${prefix}/`)));
      }),
    ));
  it('matches whole values exactly', () =>
    fc.assert(
      fc.property(path, path, (actual, value) =>
        assert.equal(isConditionMet(exactly('repository', value), { repository: actual }), actual === value),
      ),
    ));
  it('answers with a rule that gives all that was requested, and with the first', () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(ruleId, trustRule)).map((entries) => new Map(entries)),
        fc.record({
          issuerId,
          audience: fc.constantFrom('septet', 'other'),
          scopes: held,
          attributes: fc.record({ repository: path, owner: path, branch: path }, { requiredKeys: [] }),
        }),
        (rules, request) => {
          const answers = [...rules].filter(([, each]) => isAnswer(examineRule(each, request)));
          assert.deepEqual(findAnsweringRule(rules, request)?.ruleId, answers[0]?.[0]);
          for (const [, each] of answers)
            for (const one of request.scopes) assert.ok((each.scopes as readonly string[]).includes(one));
        },
      ),
    ));
  it('reads attributes from any claims', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(WorkloadIssuerKind.keys)),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (kind, claims) => {
          const read = attributesOf(
            {
              kind: kind as typeof WorkloadIssuerKind._A,
              issuer: 'https://a.example',
              claims: [{ attribute: 'tag', claim: '/a/b' }],
            },
            claims,
          );
          for (const value of Object.values(read))
            assert.ok(typeof value === 'string' && value !== '' && value.length <= 512);
        },
      ),
    ));
});
