/** `@septet/eventstore-node/certs`: an authority and a certificate for a node that is served with TLS. */
export { ensureCertificates } from './ensure-certificates';
export { loopbackNames } from './subject-names';
