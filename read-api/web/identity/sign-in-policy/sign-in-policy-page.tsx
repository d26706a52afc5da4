/** How the people of the tenant sign in, and how long credentials last. */
import { useState } from 'preact/hooks';
import {
  getCredentialPolicy,
  getSignInMethods,
  getSignInPolicy,
  setSignInPolicy,
} from '../../../../packages/client/src/operations';
import type {
  KnownSignInPolicy,
  KnownSignInProvider,
  SignInMethods,
  SignInRules,
} from '../../../../packages/client/src/schemas';
import { AsyncContent } from '../../components/async-content';
import { CheckField, ChoiceField, type Option, TextField } from '../../components/form-fields';
import { PageHeading } from '../../components/page-heading';
import { StatusBadge } from '../../components/status-badge';
import { type Column, Table } from '../../components/table';
import type { FieldTexts } from '../../kernel/field-faults';
import { durationOf } from '../../kernel/format';
import { hasScope } from '../../kernel/permissions';
import { useResource } from '../../kernel/use-resource';
import { DescriptionList, TagList } from '../shared/display';
import { FormDialog } from '../shared/form-dialog';

const secondFactors: readonly Option<SignInRules['mfa']>[] = [
  { value: 'never', label: 'Not required' },
  { value: 'enrolled', label: 'Required of people who have set one up' },
  { value: 'required', label: 'Required of everyone' },
];

const labelOf = (mfa: SignInRules['mfa']): string => secondFactors.find(({ value }) => value === mfa)?.label ?? mfa;

const providerColumns: readonly Column<KnownSignInProvider>[] = [
  {
    title: 'Provider',
    show: ({ name, issuer }) => (
      <>
        {name}
        <div class="below mono">{issuer}</div>
      </>
    ),
  },
  { title: 'Client id', isWide: true, show: ({ clientId }) => <span class="mono">{clientId}</span> },
  {
    title: 'First sign-in',
    show: ({ provisioning }) => (provisioning === 'on' ? 'Creates an account' : 'Only for people with an account'),
  },
  { title: 'Domains', isWide: true, show: ({ domains }) => <TagList words={domains} /> },
  {
    title: 'Secret',
    kind: 'tight',
    isWide: true,
    show: ({ hasPassword }) =>
      hasPassword ? <StatusBadge tone="good">set</StatusBadge> : <StatusBadge>none</StatusBadge>,
  },
];

interface ChangeProps {
  readonly policy: KnownSignInPolicy;
  readonly done: () => void;
  readonly close: () => void;
}

const hour = 3_600;

const lifetimeText = 'Must be a number of hours, from 0.1 to 720.';
const isLifetime = (hours: string): boolean => Number(hours) >= 0.1 && Number(hours) <= 720;
const policyTexts: FieldTexts = { texts: { '/body/sessionSeconds': lifetimeText } };

/** Which of the two is removed, and how many people have it and not the other that stays. */
const removalText = (
  before: SignInRules,
  after: SignInRules,
  counted: SignInMethods | undefined,
): string | undefined => {
  const removed = [
    ...(before.passwords && !after.passwords ? ['passwords'] : []),
    ...(before.passkeys && !after.passkeys ? ['passkeys'] : []),
  ].join(' and ');
  if (removed === '') return undefined;
  if (counted === undefined) return `Remove ${removed}, although people may have set up nothing else`;
  const { people, withPassword, withPasskey, isComplete } = counted;
  const remaining = after.passwords ? withPassword : after.passkeys ? withPasskey : 0;
  const names = after.passwords ? 'a password' : after.passkeys ? 'a passkey' : 'another way';
  const atLeast = isComplete ? '' : 'at least ';
  return `Remove ${removed}, although ${atLeast}${people - remaining} of ${people} people have not set up ${names}`;
};

/** Providers stay as they are, and their secrets with them. */
const ChangeRules = ({ policy, done, close }: ChangeProps) => {
  const [rules, setRules] = useState<SignInRules>(policy.effectiveRules);
  const [hours, setHours] = useState(String(rules.sessionSeconds / hour));
  const providers = policy.providers.map(({ hasPassword: _, ...provider }) => provider);
  const [isConfirmed, setConfirmed] = useState(false);
  const methods = useResource(getSignInMethods());
  const removal = removalText(policy.effectiveRules, rules, methods.content);
  const command = () =>
    setSignInPolicy({
      body: {
        ...rules,
        sessionSeconds: Math.round(Number(hours) * hour),
        providers,
        confirmsRemovedMethods: isConfirmed,
      },
    });
  return (
    <FormDialog
      title="Change the sign-in policy"
      act="Change"
      command={command}
      onDone={done}
      close={close}
      isReady={removal === undefined || isConfirmed}
      fields={policyTexts}
      check={() => (isLifetime(hours) ? [] : [{ pointer: '/body/sessionSeconds', text: lifetimeText }])}
    >
      {(faultAt) => (
        <>
          <ChoiceField
            label="Second factor"
            value={rules.mfa}
            options={secondFactors}
            onChoose={(mfa) => setRules({ ...rules, mfa })}
          />
          <CheckField
            label="Passwords"
            checked={rules.passwords}
            onCheck={(passwords) => setRules({ ...rules, passwords })}
          />
          <CheckField
            label="Passkeys"
            checked={rules.passkeys}
            onCheck={(passkeys) => setRules({ ...rules, passkeys })}
          />
          <TextField
            label="Session lifetime (hours)"
            fault={faultAt('/body/sessionSeconds')}
            help="At most 720. Making sign-in easier than it is now requires a recent sign-in with a second factor."
            value={hours}
            onType={setHours}
            maxLength={6}
            isNumber
            isRequired
          />
          {removal !== undefined && (
            <CheckField
              label={removal}
              help="They cannot sign in until an administrator sends them a link."
              checked={isConfirmed}
              onCheck={setConfirmed}
            />
          )}
        </>
      )}
    </FormDialog>
  );
};

const Rules = ({ policy }: { readonly policy: KnownSignInPolicy }) => {
  const { mfa, passwords, passkeys, sessionSeconds } = policy.effectiveRules;
  return (
    <>
      {policy.rules === null && <p class="notice">The tenant has not set a policy, so the defaults apply.</p>}
      <DescriptionList
        facts={[
          ['Second factor', labelOf(mfa)],
          ['Passwords', passwords ? 'Allowed' : 'Not allowed'],
          ['Passkeys', passkeys ? 'Allowed' : 'Not allowed'],
          ['Session lifetime', durationOf(sessionSeconds)],
        ]}
      />
      <section class="section">
        <h2>Enterprise providers</h2>
        {policy.providers.length === 0 ? (
          <p class="notice">None. People sign in with accounts of this tenant only.</p>
        ) : (
          <Table
            label="Enterprise providers"
            rows={policy.providers}
            columns={providerColumns}
            keyOf={({ providerId }) => providerId}
          />
        )}
      </section>
    </>
  );
};

const CredentialRules = () => {
  const policy = useResource(getCredentialPolicy());
  return (
    <AsyncContent source={policy} rows={1}>
      {({ maximumSeconds, forbiddenFor }) => (
        <DescriptionList
          facts={[
            ['Longest lifetime', durationOf(maximumSeconds)],
            ['Not allowed for', <TagList key="types" words={forbiddenFor} />],
          ]}
        />
      )}
    </AsyncContent>
  );
};

export const SignInPolicyPage = () => {
  const policy = useResource(getSignInPolicy());
  const [isChanging, setChanging] = useState(false);
  const { content } = policy;
  return (
    <>
      <PageHeading title="Sign-in policy" lead="How the people of this tenant prove who they are, and for how long.">
        {content !== undefined && hasScope('security:write') && (
          <button type="button" class="button primary" onClick={() => setChanging(true)}>
            Change the policy
          </button>
        )}
      </PageHeading>
      <AsyncContent source={policy} rows={3}>
        {(found) => <Rules policy={found} />}
      </AsyncContent>
      <section class="section">
        <h2>Credentials</h2>
        <CredentialRules />
      </section>
      {isChanging && content !== undefined && (
        <ChangeRules policy={content} done={policy.reload} close={() => setChanging(false)} />
      )}
    </>
  );
};
