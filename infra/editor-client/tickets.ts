/** Tickets for a document's socket, asked for with a token. */
export { ticketsFrom } from '../../read-api/web/editor/engine/browser/tickets';
