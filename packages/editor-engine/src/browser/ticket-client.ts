/** Tickets for a document's socket, asked for with a token, or as whom the page is signed in. */
import type { Ticket } from '../ports/transport';

export interface TicketOptions {
  /** Of the gateway. */
  readonly baseUrl: string;
  /** Undefined: nobody is signed in any more. Left out, the page's own session counts, where the page is the gateway's. */
  readonly token?: () => Promise<string | undefined> | string | undefined;
}

interface TicketAnswer {
  readonly ticket: string;
}

/** What a token says of its own end; the owner believes its own eyes. */
const expiryOf = (token: string): number | undefined => {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const { exp } = JSON.parse(atob(payload)) as { exp?: number };
    return typeof exp === 'number' ? exp * 1_000 : undefined;
  } catch {
    return undefined;
  }
};

/** What no form and no other site can send. */
const pageHeaders = { 'septet-console': '1' };

export const createTicketClient =
  ({ baseUrl, token }: TicketOptions) =>
  async (): Promise<Ticket | undefined> => {
    const sent = await token?.();
    if (token !== undefined && sent === undefined) return undefined;
    const answer = await fetch(`${baseUrl.replace(/\/$/, '')}/v1/streams/tickets`, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        ...(sent === undefined ? pageHeaders : { authorization: `Bearer ${sent}` }),
      },
    });
    if (answer.status === 401) return undefined;
    if (!answer.ok) throw new Error(`A ticket was refused with ${answer.status}.`);
    return {
      ticket: ((await answer.json()) as TicketAnswer).ticket,
      expiresAt: sent === undefined ? undefined : expiryOf(sent),
    };
  };
