/** The processes of webhooks. */
import { attemptOnDelivery } from './attempt-on-delivery/process';
import { publishOnAlert } from './publish-on-alert/process';
import { publishOnVideo } from './publish-on-video/process';

export const processes = { publishOnAlert, publishOnVideo, attemptOnDelivery };
