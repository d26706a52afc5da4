/** Actions on a principal. */
import type { ComponentChildren } from 'preact';
import {
  bumpSecurityEpoch,
  endSessions,
  markPrincipalCompromised,
  reactivatePrincipal,
  suspendPrincipal,
} from '../../../../packages/client/src/operations';
import { hasScope } from '../../kernel/permissions';
import type { ReasonedAction } from '../shared/action-dialog';
import type { Principal } from '../wire';

interface OfferedAction {
  readonly label: string;
  readonly scope: string;
  readonly action: ReasonedAction;
}

const suspending = (principalId: string): OfferedAction => ({
  label: 'Suspend',
  scope: 'principals:write',
  action: {
    title: 'Suspend the principal?',
    text: 'All of its tokens are refused at once, and it gets no others until it is reactivated.',
    act: 'Suspend',
    success: 'The principal was suspended.',
    isDangerous: true,
    command: (reason) => suspendPrincipal({ principalId, body: { reason } }),
  },
});

const reactivating = (principalId: string): OfferedAction => ({
  label: 'Reactivate',
  scope: 'principals:write',
  action: {
    title: 'Reactivate the principal?',
    text: 'It can get tokens again. Its earlier ones stay revoked.',
    act: 'Reactivate',
    success: 'The principal was reactivated.',
    command: (reason) => reactivatePrincipal({ principalId, body: { reason } }),
  },
});

const compromising = (principalId: string): OfferedAction => ({
  label: 'Mark as compromised',
  scope: 'principals:write',
  action: {
    title: 'Mark as compromised?',
    text: 'All of its tokens are refused at once. Only recovery ends this state; reactivation does not.',
    act: 'Mark as compromised',
    success: 'The principal was marked as compromised.',
    isDangerous: true,
    again: 'You cannot undo this here. Mark this principal as compromised?',
    command: (reason) => markPrincipalCompromised({ principalId, body: { reason } }),
  },
});

const endingTokens = (principalId: string): OfferedAction => ({
  label: 'Revoke tokens',
  scope: 'tokens:revoke',
  action: {
    title: 'Revoke all tokens?',
    text: 'Every token and refresh token issued so far is refused, and every session ends. The principal can sign in again.',
    act: 'Revoke tokens',
    success: 'All tokens were revoked.',
    isDangerous: true,
    command: (reason) => bumpSecurityEpoch({ principalId, body: { reason } }),
  },
});

const signingOut = (principalId: string): OfferedAction => ({
  label: 'Sign out everywhere',
  scope: 'sessions:write',
  action: {
    title: 'End all sessions?',
    text: 'All browsers are signed out, and tokens of these sessions are refused.',
    act: 'End sessions',
    success: 'All sessions were ended.',
    isDangerous: true,
    command: (reason) => endSessions({ principalId, body: { reason } }),
  },
});

const offeredActions = ({ principalId: id, principalType, status }: Principal): readonly OfferedAction[] => {
  const isPerson = principalType === 'HUMAN';
  if (status === 'COMPROMISED') return isPerson ? [signingOut(id)] : [];
  if (status === 'SUSPENDED') return [reactivating(id), compromising(id)];
  return [...(isPerson ? [signingOut(id)] : []), endingTokens(id), suspending(id), compromising(id)];
};

interface Props {
  readonly principal: Principal;
  readonly openDialog: (action: ReasonedAction) => void;
  /** Opens the dialog for a new enrolment link. */
  readonly link: () => void;
  /** Opens the dialog for a label. */
  readonly label: () => void;
}

export const PrincipalActions = ({ principal, openDialog, link, label: openLabel }: Props): ComponentChildren => [
  ...(principal.principalType !== 'HUMAN' && hasScope('principals:write')
    ? [
        <button key="label" type="button" class="button" onClick={openLabel}>
          Change label
        </button>,
      ]
    : []),
  ...(principal.principalType === 'HUMAN' && principal.status === 'ACTIVE' && hasScope('principals:write')
    ? [
        <button key="link" type="button" class="button" onClick={link}>
          New sign-in link
        </button>,
      ]
    : []),
  ...offeredActions(principal)
    .filter(({ scope }) => hasScope(scope))
    .map(({ label, action }) => (
      <button
        key={label}
        type="button"
        class={action.isDangerous === true ? 'button danger' : 'button'}
        onClick={() => openDialog(action)}
      >
        {label}
      </button>
    )),
];
