/** Incidents in words. */
import type { Tone } from '../../components/status-badge';
import type { Incident } from '../wire';

type Step = Incident['steps'][number]['step'];

export const stepNames: { readonly [step in Step]: string } = {
  'block-token': 'Block the token',
  'revoke-grant': 'Revoke the grant',
  'raise-epoch': 'Raise the security epoch',
  'publish-invalidation': 'Publish the invalidation',
  'confirm-gateways': 'Gateways confirm',
  'suspend-capabilities': 'Suspend delegations',
  alert: 'Alert security',
  'require-authentication': 'Require fresh authentication',
  'issue-replacement': 'Issue a replacement',
};

export const subjectNames: { readonly [subject in Incident['subject']]: string } = {
  'refresh-token-reuse': 'Refresh token used twice',
  'refresh-token-shown-by-another': 'Refresh token presented by another client',
  'authorization-code-replay': 'Authorization code used twice',
  'device-code-replay': 'Device code used twice',
  'principal-compromise': 'Principal compromised',
  'signing-key-compromise': 'Signing key revoked',
  reported: 'Reported',
  detected: 'Detected',
};

export const reachNames: { readonly [reach in Incident['reach']]: string } = {
  nothing: 'Nothing: it is noted',
  token: 'One token',
  grant: 'One grant and its refresh tokens',
  principal: 'All that the principal has',
  key: 'All that the key signed',
  tenant: 'Every token of the organization',
  platform: 'Every token of every organization',
};

export const statusTones: { readonly [status in Incident['status']]: Tone } = {
  OPEN: 'bad',
  CONTAINED: 'warn',
  RECOVERED: 'good',
  CLOSED: 'plain',
};

export const titleOf = ({ subject, drill }: Pick<Incident, 'subject' | 'drill'>): string =>
  drill ? 'Drill' : subjectNames[subject];
