/** Access policy of a tenant: versions are drafted once and never changed; one is enforced at most, and one is in shadow. */
import { type Either, right } from 'fp-ts/Either';
import type { Decider } from '../../kernel/decider';
import { type Rejection, reject } from '../../kernel/rejection';
import type { PolicyDocument } from './document';
import { documentFaults } from './document-faults';
import { type AccessPolicyEvent, accessPolicies, maxVersions, type PolicyVersion } from './events';
import { type PolicyCaller, refusedPolicyRoute } from './own-access';

export interface AccessPolicy {
  /** By version less one. */
  readonly documents: readonly PolicyDocument[];
  readonly enforced: PolicyVersion | null;
  readonly shadow: PolicyVersion | null;
}

export type AccessPolicyCommand =
  | {
      readonly type: 'DraftAccessPolicy';
      /** The next one. */
      readonly version: PolicyVersion;
      readonly document: PolicyDocument;
      readonly note: string | null;
    }
  | { readonly type: 'ShadowAccessPolicy'; readonly version: PolicyVersion }
  | { readonly type: 'EndAccessPolicyShadow' }
  | {
      readonly type: 'EnforceAccessPolicy';
      readonly version: PolicyVersion;
      /** As the gateway will see it in its next request. Undefined: an operator at the machine. */
      readonly caller: PolicyCaller | undefined;
    }
  | { readonly type: 'TurnOffAccessPolicy'; readonly reason: string };

export type AccessPolicyRejection =
  | 'policy-invalid'
  | 'policy-version-exists'
  | 'policy-version-not-next'
  | 'policy-version-unknown'
  | 'too-many-policy-versions'
  | 'own-policy-access';

type Decision = Either<Rejection<AccessPolicyRejection>, readonly AccessPolicyEvent[]>;
type CommandOf<Type extends AccessPolicyCommand['type']> = Extract<AccessPolicyCommand, { type: Type }>;

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const draft = ({ version, document, note }: CommandOf<'DraftAccessPolicy'>, { documents }: AccessPolicy): Decision => {
  const known = documents[version - 1];
  if (known !== undefined)
    return isSame(known, document)
      ? right([])
      : reject(
          'policy-version-exists',
          `Version ${version} is another document; the next one is ${documents.length + 1}.`,
        );
  if (documents.length >= maxVersions)
    return reject('too-many-policy-versions', `A tenant has at most ${maxVersions} versions of its policy.`);
  if (version !== documents.length + 1)
    return reject('policy-version-not-next', `The next version is ${documents.length + 1}.`);
  const [fault] = documentFaults(document);
  if (fault !== undefined) return reject('policy-invalid', `${fault.pointer} must be ${fault.expected}.`);
  return right([{ type: 'AccessPolicyDrafted', data: { version, document, note } }]);
};

const unknown = (version: number): Decision =>
  reject('policy-version-unknown', `The policy has no version ${version}.`);

const shadow = (
  { version }: CommandOf<'ShadowAccessPolicy'>,
  { documents, shadow: present }: AccessPolicy,
): Decision => {
  const document = documents[version - 1];
  if (document === undefined) return unknown(version);
  return right(version === present ? [] : [{ type: 'AccessPolicyShadowed', data: { version, document } }]);
};

const enforce = (
  { version, caller }: CommandOf<'EnforceAccessPolicy'>,
  { documents, enforced: previous }: AccessPolicy,
): Decision => {
  const document = documents[version - 1];
  if (document === undefined) return unknown(version);
  if (version === previous) return right([]);
  const refused = caller && refusedPolicyRoute(document, caller);
  if (refused !== undefined) return reject('own-policy-access', refused);
  return right([{ type: 'AccessPolicyEnforced', data: { version, document, previous } }]);
};

const decide = (command: AccessPolicyCommand, state: AccessPolicy): Decision => {
  switch (command.type) {
    case 'DraftAccessPolicy':
      return draft(command, state);
    case 'ShadowAccessPolicy':
      return shadow(command, state);
    case 'EndAccessPolicyShadow':
      return right(state.shadow === null ? [] : [{ type: 'AccessPolicyShadowEnded', data: { version: state.shadow } }]);
    case 'EnforceAccessPolicy':
      return enforce(command, state);
    case 'TurnOffAccessPolicy': {
      const { enforced: version } = state;
      return right(
        version === null ? [] : [{ type: 'AccessPolicyTurnedOff', data: { version, reason: command.reason } }],
      );
    }
  }
};

const evolve = (state: AccessPolicy, event: AccessPolicyEvent): AccessPolicy => {
  switch (event.type) {
    case 'AccessPolicyDrafted':
      return { ...state, documents: [...state.documents, event.data.document] };
    case 'AccessPolicyShadowed':
      return { ...state, shadow: event.data.version };
    case 'AccessPolicyShadowEnded':
      return { ...state, shadow: null };
    case 'AccessPolicyEnforced': {
      const { version } = event.data;
      // What is enforced has no difference to itself.
      return { ...state, enforced: version, shadow: state.shadow === version ? null : state.shadow };
    }
    case 'AccessPolicyTurnedOff':
      return { ...state, enforced: null };
  }
};

export const accessPolicy: Decider<AccessPolicyCommand, AccessPolicy, AccessPolicyEvent, AccessPolicyRejection> = {
  family: accessPolicies,
  initial: { documents: [], enforced: null, shadow: null },
  evolve,
  decide,
};
