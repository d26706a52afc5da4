/** Access tokens that are good, nearly good, or made to confuse. */
import { built, type Draw, encoded, type Parts, partsOf, second, signed, signers, stranger } from './drawn';
import {
  claimNames,
  letters,
  mirrored,
  odd,
  oddHeaders,
  offsets,
  picked,
  resigned,
  rewritten,
  spliced,
} from './mutation-parts';

type Mutation = (parts: Parts, draw: Draw) => string;

const mutations: { readonly [what: string]: Mutation } = {
  nothing: built,
  'a letter': (parts, draw) => {
    const token = built(parts);
    return spliced(token, draw(token.length), { drop: 1, put: picked(draw, [...letters]) });
  },
  'a letter more or less': (parts, draw) => {
    const token = built(parts);
    const more = draw(2) === 1;
    return spliced(token, draw(token.length), { drop: more ? 0 : 1, put: more ? picked(draw, [...letters]) : '' });
  },
  'a bit of the signature': (parts, draw) =>
    resigned(built(parts), (bytes) => {
      const at = draw(bytes.length);
      return Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ (1 << draw(8)) : byte)));
    }),
  'the mirrored signature': (parts) => resigned(built(parts), mirrored),
  'a signature of zeros': (parts) => resigned(built(parts), () => Buffer.alloc(64)),
  'a shorter signature': (parts, draw) => resigned(built(parts), (bytes) => bytes.subarray(0, draw(64))),
  'the signature of a stranger': (parts) => built({ ...parts, signer: stranger }),
  'the signature of another key': (parts, draw) => built({ ...parts, signer: picked(draw, signers) }),
  'the header': (parts, draw) => built({ ...parts, header: { ...parts.header, ...picked(draw, oddHeaders) } }),
  'a claim': (parts, draw) =>
    built({ ...parts, claims: { ...parts.claims, [picked(draw, claimNames)]: picked(draw, odd) } }),
  'a time': (parts, draw) =>
    built({
      ...parts,
      claims: { ...parts.claims, [picked(draw, ['exp', 'iat', 'nbf'])]: second + picked(draw, offsets) },
    }),
  'how claims are written': ({ signer, header, claims }, draw) =>
    signed(signer, encoded(JSON.stringify(header)), encoded(rewritten(JSON.stringify(claims), draw))),
  'how the header is written': ({ signer, header, claims }, draw) =>
    signed(signer, encoded(rewritten(JSON.stringify(header), draw)), encoded(JSON.stringify(claims))),
  'bytes that are no text': ({ signer, header, claims }, draw) => {
    const bytes = Buffer.from(JSON.stringify(claims));
    bytes[draw(bytes.length)] = 0x80 + draw(0x80);
    return signed(signer, encoded(JSON.stringify(header)), bytes.toString('base64url'));
  },
};

export const mutated = (draw: Draw): { readonly what: string; readonly token: string } => {
  const what = picked(draw, Object.keys(mutations));
  return { what, token: (mutations[what] ?? built)(partsOf(draw), draw) };
};
