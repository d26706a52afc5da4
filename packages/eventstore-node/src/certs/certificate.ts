/** The certificates of an authority and of its nodes. */
import type { KeyObject, X509Certificate } from 'node:crypto';
import { OctetString } from 'asn1js';
import { AuthorityKeyIdentifier, BasicConstraints, Certificate, ExtKeyUsage, GeneralName, GeneralNames } from 'pkijs';
import { addressBytes, type Names } from './names';
import {
  extension,
  type Issuer,
  keyIdOf,
  keyUsage,
  nameOf,
  oid,
  type Period,
  publicKeyOf,
  signed,
  subjectKeyId,
} from './x509';

/** Signs nodes' certificates only, and no further authorities. */
export const authorityCertificate = (key: KeyObject, commonName: string, period: Period): string => {
  const publicKey = publicKeyOf(key);
  const name = nameOf(commonName);
  const constraints = new BasicConstraints({ cA: true, pathLenConstraint: 0 });
  const certificatesAndLists = 0b0000_0110;
  const extensions = [
    extension(oid.basicConstraints, constraints.toSchema(), true),
    keyUsage(certificatesAndLists, 1),
    subjectKeyId(publicKey),
  ];
  return signed({ subject: name, publicKey, period, extensions }, { name, key });
};

const hostName = 2;
const ipAddress = 7;

const alternativeNames = ({ hosts, addresses }: Names): GeneralNames =>
  new GeneralNames({
    names: [
      ...hosts.map((value) => new GeneralName({ type: hostName, value })),
      ...addresses.map((address) => {
        const value = new OctetString({ valueHex: addressBytes(address) as Buffer });
        return new GeneralName({ type: ipAddress, value });
      }),
    ],
  });

export interface ServerCertificate {
  readonly key: KeyObject;
  readonly commonName: string;
  readonly names: Names;
  readonly period: Period;
}

export const serverCertificate = ({ key, commonName, names, period }: ServerCertificate, issuer: Issuer): string => {
  const publicKey = publicKeyOf(key);
  const issuerKey = new AuthorityKeyIdentifier({ keyIdentifier: new OctetString({ valueHex: issuer.keyId }) });
  const signatures = 0b1000_0000;
  const extensions = [
    extension(oid.basicConstraints, new BasicConstraints().toSchema(), true),
    keyUsage(signatures, 7),
    extension(oid.extendedKeyUsage, new ExtKeyUsage({ keyPurposes: [oid.serverAuth] }).toSchema()),
    extension(oid.alternativeName, alternativeNames(names).toSchema()),
    subjectKeyId(publicKey),
    extension(oid.issuerKeyId, issuerKey.toSchema()),
  ];
  return signed({ subject: nameOf(commonName), publicKey, period, extensions }, issuer);
};

/** The authority as its certificate has it, which another program may have made. */
export const issuerOf = (certificate: X509Certificate, key: KeyObject): Issuer => {
  const { subject, extensions = [] } = Certificate.fromBER(certificate.raw);
  const found = extensions.find(({ extnID }) => extnID === oid.subjectKeyId)?.parsedValue as unknown;
  const keyId = found instanceof OctetString ? Buffer.from(found.valueBlock.valueHexView) : keyIdOf(publicKeyOf(key));
  return { name: subject, keyId, key };
};
