/** States of endpoints and deliveries, in words. */
import type { Tone } from '../components/status-badge';
import type { Attempt, Delivery, WebhookEndpoint } from './api-types';

interface Word {
  readonly text: string;
  readonly tone: Tone;
}

const disabledWords: { readonly [reason in NonNullable<WebhookEndpoint['disabledReason']>]: string } = {
  'by-administrator': 'disabled',
  failing: 'disabled: it failed for days',
  gone: 'disabled: the receiver is gone',
};

export const wordOfEndpoint = ({ disabledReason, failingSince }: WebhookEndpoint): Word => {
  if (disabledReason !== null) return { text: disabledWords[disabledReason], tone: 'bad' };
  return failingSince === null ? { text: 'enabled', tone: 'good' } : { text: 'failing', tone: 'warn' };
};

const deliveryTones: { readonly [status in Delivery['status']]: Tone } = {
  pending: 'plain',
  delivered: 'good',
  failed: 'bad',
  canceled: 'warn',
};

export const wordOfDelivery = ({ status }: Delivery): Word => ({ text: status, tone: deliveryTones[status] });

const faultWords: { readonly [fault in NonNullable<Attempt['fault']>]: string } = {
  'no-answer': 'No answer',
  'timed-out': 'No answer in time',
  'address-refused': 'The address is not a public one',
};

/** Of an attempt that was made. */
export const wordOfResult = ({ statusCode, fault }: Pick<Attempt, 'statusCode' | 'fault'>): string => {
  if (fault !== null) return faultWords[fault];
  return statusCode === null ? '—' : `Status ${statusCode}`;
};
