/** The used part of PKCS #11 (version 3.0, OASIS), as the package `pkcs11js` binds it. */
export const constants = {
  CKF_SERIAL_SESSION: 0x4,
  CKF_RW_SESSION: 0x2,
  CKF_OS_LOCKING_OK: 0x2,
  CKU_USER: 1,
  CKO_PUBLIC_KEY: 2,
  CKO_PRIVATE_KEY: 3,
  CKO_SECRET_KEY: 4,
  CKK_RSA: 0x0,
  CKK_GENERIC_SECRET: 0x10,
  CKA_CLASS: 0x0,
  CKA_TOKEN: 0x1,
  CKA_PRIVATE: 0x2,
  CKA_LABEL: 0x3,
  CKA_VALUE: 0x11,
  CKA_KEY_TYPE: 0x100,
  CKA_ID: 0x102,
  CKA_SENSITIVE: 0x103,
  CKA_SIGN: 0x108,
  CKA_VERIFY: 0x10a,
  CKA_VALUE_LEN: 0x161,
  CKA_EXTRACTABLE: 0x162,
  CKA_MODULUS: 0x120,
  CKA_MODULUS_BITS: 0x121,
  CKA_PUBLIC_EXPONENT: 0x122,
  CKA_EC_PARAMS: 0x180,
  CKA_EC_POINT: 0x181,
  CKM_RSA_PKCS_KEY_PAIR_GEN: 0x0,
  CKM_SHA256_RSA_PKCS: 0x40,
  CKM_SHA256_HMAC: 0x251,
  CKM_GENERIC_SECRET_KEY_GEN: 0x350,
  CKM_EC_KEY_PAIR_GEN: 0x1040,
  CKM_ECDSA: 0x1041,
  CKM_EC_EDWARDS_KEY_PAIR_GEN: 0x1055,
  CKM_EDDSA: 0x1057,
  CKR_PIN_INCORRECT: 0xa0,
  CKR_PIN_LOCKED: 0xa4,
  CKR_USER_ALREADY_LOGGED_IN: 0x100,
  CKR_CRYPTOKI_ALREADY_INITIALIZED: 0x191,
} as const;

export interface Attribute {
  readonly type: number;
  readonly value?: Buffer | string | number | boolean;
}

interface AttributeQuery {
  readonly type: number;
  readonly value: Buffer;
}

export interface Mechanism {
  readonly mechanism: number;
  readonly parameter: null;
}

/** Handles of slots, sessions and objects. */
type Handle = Buffer;

export interface Cryptoki {
  readonly load: (path: string) => void;
  readonly C_Initialize: (options: { readonly flags: number }) => void;
  readonly C_GetSlotList: (withToken: boolean) => readonly Handle[];
  readonly C_GetTokenInfo: (slot: Handle) => { readonly label: string };
  readonly C_GetMechanismList: (slot: Handle) => readonly number[];
  readonly C_OpenSession: (slot: Handle, flags: number) => Handle;
  readonly C_CloseSession: (session: Handle) => void;
  readonly C_Login: (session: Handle, user: number, pin: string) => void;
  readonly C_FindObjectsInit: (session: Handle, template: readonly Attribute[]) => void;
  readonly C_FindObjects: (session: Handle, most: number) => readonly Handle[];
  readonly C_FindObjectsFinal: (session: Handle) => void;
  readonly C_GetAttributeValue: (
    session: Handle,
    object: Handle,
    template: readonly Attribute[],
  ) => readonly AttributeQuery[];
  readonly C_CreateObject: (session: Handle, template: readonly Attribute[]) => Handle;
  readonly C_GenerateKey: (session: Handle, how: Mechanism, template: readonly Attribute[]) => Handle;
  readonly C_GenerateKeyPair: (
    session: Handle,
    how: Mechanism,
    publicTemplate: readonly Attribute[],
    privateTemplate: readonly Attribute[],
  ) => { readonly publicKey: Handle; readonly privateKey: Handle };
  readonly C_DestroyObject: (session: Handle, object: Handle) => void;
  readonly C_SignInit: (session: Handle, how: Mechanism, key: Handle) => void;
  /** Runs off the main thread, because devices are slow. */
  readonly C_SignAsync: (session: Handle, bytes: Buffer, into: Buffer) => Promise<Buffer>;
}

/** The PKCS #11 error code of an exception. */
export const pkcs11ErrorOf = (error: unknown): { readonly code: number; readonly name: string } | undefined => {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'number') return undefined;
  return { code: error.code, name: /\bCKR_[A-Z_]+/.exec(error.message)?.[0] ?? `0x${error.code.toString(16)}` };
};
