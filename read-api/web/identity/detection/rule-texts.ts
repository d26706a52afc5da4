/** Rules of detection, in words. */
import type { AlertRule } from '../../../../packages/client/src/schemas';

interface RuleText {
  readonly name: string;
  readonly text: string;
}

export const ruleTexts: { readonly [rule in AlertRule]: RuleText } = {
  'sender-binding-mismatch': {
    name: 'Token without its key',
    text: 'A token that is bound to a key or certificate is presented without it.',
  },
  'token-replay': { name: 'Token from several networks', text: 'One token is used from several networks at once.' },
  'large-scale-replay': {
    name: 'Many stolen tokens',
    text: 'Tokens of many principals are presented without their keys.',
  },
  'rate-anomaly': { name: 'Unusual rate', text: 'A principal sends far more requests than it usually does.' },
  'new-address': { name: 'New network', text: 'A person comes from a network that was not seen before.' },
  'impossible-travel': {
    name: 'Impossible travel',
    text: 'A person with rights to change things moves back and forth between networks.',
  },
  'unexpected-runtime': {
    name: 'Unexpected runtime',
    text: 'A token is used by a workload or cluster that is not expected of its principal.',
  },
  'tool-outside-allowlist': {
    name: 'Tool outside the allowlist',
    text: 'An agent calls tools that its token is not for, or that a policy refuses.',
  },
  'approval-bypass': { name: 'Approval bypassed', text: 'An agent tries to act without the approval that it needs.' },
  'scope-escalation': { name: 'Scope escalation', text: 'A principal tries what its scopes do not allow.' },
  'call-after-task-end': {
    name: 'Calls after the task',
    text: 'An agent still uses a token that expired or was revoked.',
  },
  'repeated-denial': { name: 'Repeated denial', text: 'Many requests of one principal are denied.' },
  'cross-tenant': { name: 'Across tenants', text: 'A token is decided about in two tenants.' },
  'refresh-token-reuse': { name: 'Refresh token reused', text: 'A used refresh token is presented again.' },
  'code-replay': { name: 'Code replayed', text: 'A redeemed code is presented again.' },
};
