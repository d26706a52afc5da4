/** Paths of the pages of webhooks. */
import { segment } from '../kernel/router';

export const webhooksPath = '/console/webhooks';
export const webhookPath = (endpointId: string): string => `${webhooksPath}/${segment(endpointId)}`;
