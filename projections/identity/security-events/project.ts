import { projection } from '../../kernel/projection';
import { securityEventSources } from './sources/index';
import { securityEventsView } from './view';

export const securityEventsProjection = projection(securityEventsView, securityEventSources);
