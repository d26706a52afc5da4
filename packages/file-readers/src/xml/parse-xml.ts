/** XML of others: no entities but the five of XML, no document types, bounded depth. */
import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';

/** Names are without prefixes: a program may choose any. */
export interface XmlHandler {
  readonly open: (name: string, attributes: XmlAttributes) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
}

export interface XmlAttributes {
  /** Of an attribute without a prefix. */
  readonly get: (name: string) => string | undefined;
  /** Of one with any prefix, such as `r:id`. */
  readonly getPrefixed: (name: string) => string | undefined;
}

export interface XmlParser {
  /** False: it is not XML, or none that an Office document has. Nothing of it is reported from then on. */
  readonly write: (bytes: Uint8Array) => boolean;
  /** Called once, behind the last byte. */
  readonly end: () => boolean;
}

const maxDepth = 500;

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

const attributesOf = (attributes: Readonly<Record<string, string>>): XmlAttributes => ({
  get: (name) => attributes[name],
  getPrefixed: (name) =>
    Object.entries(attributes).find(([full]) => full.includes(':') && localName(full) === name)?.[1],
});

const encodingOf = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
};

export const xmlParser = (handler: XmlHandler): XmlParser => {
  let isValid = true;
  let depth = 0;
  let decoder: TextDecoder | undefined;
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('error', () => {
    isValid = false;
  });
  // A billion laughs begins with one; Office Open XML has none (ECMA-376 part 2, 6.1.4).
  parser.on('doctype', () => {
    isValid = false;
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    isValid &&= depth <= maxDepth;
    if (isValid) handler.open(localName(name), attributesOf(attributes));
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    if (isValid) handler.close?.(localName(name));
  });
  const reportText = (text: string): void => {
    if (isValid) handler.text?.(text);
  };
  parser.on('text', reportText);
  parser.on('cdata', reportText);
  return {
    write: (bytes) => {
      decoder ??= new TextDecoder(encodingOf(bytes));
      if (isValid) parser.write(decoder.decode(bytes, { stream: true }));
      return isValid;
    },
    end: () => {
      if (isValid) parser.write(decoder?.decode() ?? '').close();
      return isValid;
    },
  };
};
