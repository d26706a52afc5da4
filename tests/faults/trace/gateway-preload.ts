/** Requests for the address that the system is known by go to the gateway that `GATEWAY` names: signed addresses of blobs have that one. */
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';

type Listener = (response: IncomingMessage) => void;
type Send = (url: URL, options: RequestOptions, listener?: Listener) => ClientRequest;

const send = http.request as Send;
const redirected: Send = (url, options, listener) =>
  send(
    url.hostname === 'septet.test' ? new URL(url.href.slice(url.origin.length), process.env.GATEWAY) : url,
    options,
    listener,
  );
Object.assign(http, { request: redirected });
